"""`python -m benchmarks.startup`: see README.md."""

from benchmarks.start import start

start("benchmarks.startup", "plugin")
