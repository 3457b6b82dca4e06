"""Other pytest plugins. Come here to change what we add to pytest-html, pytest-benchmark or xdist; loaded only beside them."""
