"""`python -m benchmarks.simulator`: see README.md."""

from benchmarks.start import start

start("benchmarks.simulator", "fit", "prior", "landscape", "speed")
