"""A suite to copy: the GEMM shapes that a team cares about, each tuned and gated.

Run it with ``pytest --ascend-tune``; without the option the tests are skipped.
"""

import pytest


@pytest.mark.ascend_tune(
    max_iter=24,
    shapes=[
        (1024, 1024, 1024),  # square
        (16, 4096, 4096),  # skinny: a decode step of an LLM
        (777, 1111, 513),  # odd: no size is a multiple of a tile
        (2048, 2048, 64),  # small k: writing C dominates
    ],
)
def test_gemm(ascend_tune):
    result = ascend_tune()
    assert result.tflops > 0
