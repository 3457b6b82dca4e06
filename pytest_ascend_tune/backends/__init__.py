"""Where kernels run. Come here to add a backend: implement protocols.Backend and add one line to the registry."""
