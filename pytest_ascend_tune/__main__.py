"""``python -m pytest_ascend_tune`` is the ``ascend-tune`` command."""

import sys

from pytest_ascend_tune.cli import main

sys.exit(main())
