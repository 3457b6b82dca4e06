"""`python -m benchmarks.tuner`: see README.md."""

from benchmarks.start import start

start("benchmarks.tuner", "run", "noise", "report", "cost")
