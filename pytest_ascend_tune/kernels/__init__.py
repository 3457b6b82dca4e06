"""What is tuned. Come here to change how a template folder is read, or how its search space and constraints work.

``template``     reads a template folder: sources and space.toml; the public ``legal_configs``
``declared``     reads the keys of a space.toml and refuses what does not belong there
``building``     its part about a build system and an entry point of one's own
``sources``      where a template's files are read from
``parameters``   kinds of parameters and their levels
``constraints``  conditions: parsed, checked, evaluated over columns
``space``        the search space: what is legal for a problem on a device, and why not
``candidates``   enumerates, samples and encodes the legal configurations
"""
