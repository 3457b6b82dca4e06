"""Documentation site; `python -m sphinx -W --keep-going -b html docs build/docs` makes it, warnings are errors."""

project = "pytest-ascend-tune"
extensions = ["myst_parser"]
html_theme = "furo"
html_title = "pytest-ascend-tune"
myst_heading_anchors = 3
exclude_patterns = ["_build"]
# Pages also link to files outside this folder, for readers of the repository; test_docs.py checks all links.
suppress_warnings = ["myst.xref_missing"]
