"""Together with pytest-benchmark: the confirmed winner also appears in its table, in device time.

Needs pytest-benchmark (the extra ``benchmark``). ``--benchmark-save`` and ``--benchmark-json`` work as always.
"""

import pytest

pytest.importorskip("pytest_benchmark")


@pytest.mark.ascend_tune(m=512, n=512, k=512, max_iter=8)
def test_gemm(ascend_tune, benchmark):
    ascend_tune()
