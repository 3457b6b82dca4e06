"""`python -m benchmarks.scaling`: see README.md."""

from benchmarks.start import start

start("benchmarks.scaling", "trials", "window", "quality")
