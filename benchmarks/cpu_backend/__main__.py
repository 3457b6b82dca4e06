"""`python -m benchmarks.cpu_backend`: see README.md."""

from benchmarks.start import start

start("benchmarks.cpu_backend", "overhead")
