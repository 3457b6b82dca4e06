"""A C++ kernel on the host, really measured: the embedded default."""
