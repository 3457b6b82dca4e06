"""`python -m benchmarks.history`: see README.md."""

from benchmarks.start import start

start("benchmarks.history", "trend")
