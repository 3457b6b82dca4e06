"""Documentation site: ``sphinx-build -W --keep-going -b html docs build/docs`` (extra ``[dev]``; warnings are errors)."""

project = "pytest-ascend-tune"
extensions = ["myst_parser"]
html_theme = "furo"
html_title = "pytest-ascend-tune"
myst_heading_anchors = 3
exclude_patterns = ["_build"]
