"""Device code that this backend needs for itself: an empty kernel to try the tool chain, and one that empties L2."""

from __future__ import annotations

PROBE = """\
#include "kernel_operator.h"
#include "acl/acl.h"
extern "C" __global__ __aicore__ KERNEL_TYPE void KERNEL_NAME(GM_ADDR a) {
#ifdef KERNEL_TASK
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TASK);
#endif
    (void)a;
}
extern "C" __attribute__((visibility("default"))) int ascend_tune_probe(void* stream, void* a) {
    KERNEL_NAME<<<1, nullptr, stream>>>((uint8_t*)a);
    return (int)aclrtSynchronizeStreamWithTimeout(stream, 1000);
}
"""

CLEAR_PIECE_BYTES = 64 << 10

# Every core reads its share of a buffer into L1, piece by piece: with a buffer as large as L2 nothing else stays in it.
# So does hicann/catlass:tools/tuner/dfx_kernel/clear_l2_cache.cpp. A memset may go past L2.
CLEAR_L2 = f"""\
#define K_MAX_SHAPE_DIM 0
#include "kernel_operator.h"
constexpr uint32_t PIECE_BYTES = {CLEAR_PIECE_BYTES};
extern "C" __global__ __aicore__ KERNEL_TYPE void KERNEL_NAME(GM_ADDR buffer, uint32_t pieces) {{
#ifdef KERNEL_TASK
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TASK);
#endif
    AscendC::TPipe pipe;
    AscendC::TBuf<AscendC::TPosition::A1> room;
    pipe.InitBuffer(room, PIECE_BYTES);
    AscendC::LocalTensor<half> target = room.Get<half>();
    AscendC::GlobalTensor<half> source;
    source.SetGlobalBuffer((__gm__ half*)buffer);
    constexpr uint32_t ELEMENTS = PIECE_BYTES / sizeof(half);
    for (uint32_t piece = AscendC::GetBlockIdx(); piece < pieces; piece += AscendC::GetBlockNum()) {{
        AscendC::DataCopy(target, source[(uint64_t)piece * ELEMENTS], ELEMENTS);
    }}
    AscendC::PipeBarrier<PIPE_ALL>();
}}
extern "C" __attribute__((visibility("default"))) int ascend_tune_clear_l2(
    uint32_t blocks, void* stream, void* buffer, uint64_t bytes) {{
    KERNEL_NAME<<<blocks, nullptr, stream>>>((uint8_t*)buffer, (uint32_t)(bytes / PIECE_BYTES));
    return 0;
}}
"""
