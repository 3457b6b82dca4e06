"""`python -m benchmarks.report`: see README.md."""

from benchmarks.start import start

start("benchmarks.report", "page")
