"""A kernel template of your own: the folder of this file. Copy it, replace my_gemm.cpp, declare your parameters."""

from pathlib import Path

import pytest


@pytest.mark.ascend_tune(m=256, n=256, k=256, template=Path(__file__).parent, max_iter=10)
def test_my_gemm(ascend_tune):
    result = ascend_tune()
    assert result.config["block_n"] >= 16
