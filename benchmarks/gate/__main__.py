"""`python -m benchmarks.gate`: see README.md."""

from benchmarks.start import start

start("benchmarks.gate", "rates", "confirmed", "load")
