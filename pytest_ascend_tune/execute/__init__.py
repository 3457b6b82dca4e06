"""Kernels at work: trials, rounds of samples, devices, locks, executors. Come here to change how things are run."""
