"""Facts of the device."""

from __future__ import annotations

from pytest_ascend_tune.backends.ascend import chip


def test_the_driver_tells_its_version_or_is_unknown(tmp_path):
    file = tmp_path / "version.info"
    assert chip.driver_version(file) == "unknown"
    file.write_text("Version=24.1.0\nascendhal_version=7.35.23\n")
    assert chip.driver_version(file) == "24.1.0"
