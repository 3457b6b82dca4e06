"""Baselines, their sources, calibrations, and exports of the best configurations."""
