"""`python -m benchmarks.triton`: see README.md."""

from benchmarks.start import start

start("benchmarks.triton", "exact", "faults", "speed")
