"""A GEMM with an epilogue on the vector cores: C = activation(A B * scale + bias), one program for each tile of C.

What a team's own fused kernel looks like. ``SCALE``: none (0), per column (1) or per row (2), which dequantises an int8
product by channel or by token.
"""

import triton
import triton.language as tl


@triton.jit
def gemm_epilogue(
    a_ptr,
    b_ptr,
    bias_ptr,
    scale_ptr,
    c_ptr,
    M: tl.constexpr,
    N: tl.constexpr,
    K: tl.constexpr,
    TILE_M: tl.constexpr,
    TILE_N: tl.constexpr,
    TILE_K: tl.constexpr,
    CORES: tl.constexpr,
    BIAS: tl.constexpr,
    SCALE: tl.constexpr,
    ACTIVATION: tl.constexpr,
    INTEGER: tl.constexpr,
):
    """a_ptr: (M, K); b_ptr: (K, N); bias_ptr: (N,); scale_ptr: (N,) or (M,); c_ptr: (M, N). All row-major."""
    core = tl.program_id(0)
    rows: tl.constexpr = (M + TILE_M - 1) // TILE_M
    columns: tl.constexpr = (N + TILE_N - 1) // TILE_N
    for tile in range(core, rows * columns, CORES):
        m = tile // columns * TILE_M + tl.arange(0, TILE_M)
        n = tile % columns * TILE_N + tl.arange(0, TILE_N)
        total = tl.zeros((TILE_M, TILE_N), dtype=tl.int32 if INTEGER else tl.float32)
        for first in range(0, K, TILE_K):
            k = first + tl.arange(0, TILE_K)
            a = tl.load(a_ptr + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
            b = tl.load(b_ptr + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
            total = tl.dot(a, b, total)
        value = total.to(tl.float32)
        if SCALE == 1:
            value = value * tl.load(scale_ptr + n, mask=n < N, other=0.0)[None, :]
        if SCALE == 2:
            value = value * tl.load(scale_ptr + m, mask=m < M, other=0.0)[:, None]
        if BIAS:
            value = value + tl.load(bias_ptr + n, mask=n < N, other=0.0)[None, :]
        if ACTIVATION == "relu":
            value = tl.maximum(value, 0.0)
        if ACTIVATION == "gelu":
            value = value * tl.sigmoid(1.702 * value)
        if ACTIVATION == "silu":
            value = value * tl.sigmoid(value)
        if ACTIVATION == "half":
            value = value * 0.5
        c_mask = (m[:, None] < M) & (n[None, :] < N)
        tl.store(c_ptr + m[:, None] * N + n[None, :], value.to(c_ptr.dtype.element_ty), mask=c_mask)
