"""Data files of this folder; see its README or the modules that read them."""
