"""A kernel that its own CMake project builds: pytest examples/own_build --ascend-tune --ascend-tune-backend=cpu

The gate against a branch needs no stored file: add --ascend-tune-against=origin/main
"""

import shutil
from pathlib import Path

import pytest

HERE = str(Path(__file__).parent)


@pytest.mark.skipif(shutil.which("cmake") is None, reason="cmake is not installed")
@pytest.mark.ascend_tune(m=192, n=192, k=192, template=HERE, max_iter=4)
def test_my_gemm(ascend_tune):
    result = ascend_tune()
    assert result.config["block_k"] in (8, 16, 32, 64, 128, 256)
