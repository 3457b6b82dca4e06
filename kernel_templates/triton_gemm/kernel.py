"""C = A B on the cube cores of a 910B, in Triton: every program works off its share of the tiles of C.

``CORES`` programs are launched, one for each cube core. Tiles are handed out in groups of ``SWIZZLE_GROUP`` rows of
tiles (``SWIZZLE_ALONG_N`` = 0) or columns (1), so that cores that run at the same time share panels of A and B in L2.
With ``SHIFT_K`` each core starts at another K block, so that fewer of them ask for the same address at once.
"""

import triton
import triton.language as tl


@triton.jit
def gemm(
    a_ptr,
    b_ptr,
    c_ptr,
    M: tl.constexpr,
    N: tl.constexpr,
    K: tl.constexpr,
    TILE_M: tl.constexpr,
    TILE_N: tl.constexpr,
    TILE_K: tl.constexpr,
    SWIZZLE_GROUP: tl.constexpr,
    SWIZZLE_ALONG_N: tl.constexpr,
    SHIFT_K: tl.constexpr,
    A_TRANSPOSED: tl.constexpr,
    B_TRANSPOSED: tl.constexpr,
    CORES: tl.constexpr,
    INTEGER: tl.constexpr,
):
    """a_ptr: (M, K), or (K, M) when A_TRANSPOSED; b_ptr: (K, N), or (N, K); c_ptr: (M, N). All row-major."""
    core = tl.program_id(0)
    rows: tl.constexpr = (M + TILE_M - 1) // TILE_M
    columns: tl.constexpr = (N + TILE_N - 1) // TILE_N
    blocks: tl.constexpr = (K + TILE_K - 1) // TILE_K
    for tile in range(core, rows * columns, CORES):
        if SWIZZLE_ALONG_N:
            group = tile // (SWIZZLE_GROUP * rows)
            inside = tile % (SWIZZLE_GROUP * rows)
            width = min(columns - group * SWIZZLE_GROUP, SWIZZLE_GROUP)
            row = inside // width
            column = group * SWIZZLE_GROUP + inside % width
        else:
            group = tile // (SWIZZLE_GROUP * columns)
            inside = tile % (SWIZZLE_GROUP * columns)
            height = min(rows - group * SWIZZLE_GROUP, SWIZZLE_GROUP)
            row = group * SWIZZLE_GROUP + inside % height
            column = inside // height
        m = row * TILE_M + tl.arange(0, TILE_M)
        n = column * TILE_N + tl.arange(0, TILE_N)
        total = tl.zeros((TILE_M, TILE_N), dtype=tl.int32 if INTEGER else tl.float32)
        for step in range(0, blocks):
            block = (step + core) % blocks if SHIFT_K else step
            k = block * TILE_K + tl.arange(0, TILE_K)
            if A_TRANSPOSED:
                a_mask = (k[:, None] < K) & (m[None, :] < M)
                a = tl.trans(tl.load(a_ptr + k[:, None] * M + m[None, :], mask=a_mask, other=0.0))
            else:
                a_mask = (m[:, None] < M) & (k[None, :] < K)
                a = tl.load(a_ptr + m[:, None] * K + k[None, :], mask=a_mask, other=0.0)
            if B_TRANSPOSED:
                b_mask = (n[:, None] < N) & (k[None, :] < K)
                b = tl.trans(tl.load(b_ptr + n[:, None] * K + k[None, :], mask=b_mask, other=0.0))
            else:
                b_mask = (k[:, None] < K) & (n[None, :] < N)
                b = tl.load(b_ptr + k[:, None] * N + n[None, :], mask=b_mask, other=0.0)
            total = tl.dot(a, b, total)
        c_mask = (m[:, None] < M) & (n[None, :] < N)
        tl.store(c_ptr + m[:, None] * N + n[None, :], total.to(c_ptr.dtype.element_ty), mask=c_mask)
