"""Kernel templates that come with the package; installed as ``pytest_ascend_tune.kernel_templates``."""
