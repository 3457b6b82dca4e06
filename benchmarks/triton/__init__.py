"""Triton kernels without a board: are compiled schedules executed right, are faults found, how fast is it."""
