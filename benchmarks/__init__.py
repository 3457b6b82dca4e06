"""Figures of this project, measured; each folder has a README. A package, because xdsl installs one of this name."""
