"""Other pytest plugins. Come here to change what we add to pytest-html, pytest-benchmark or pytest-xdist."""
