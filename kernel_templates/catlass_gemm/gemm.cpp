// Entry points of one build: one configuration, one dtype, one layout, every shape. The ABI stands in README.md.
//
// Each parameter is a macro, so that this file opens and compiles as it stands; the tuner passes -DTILE_M=128 and so on.
#ifndef TILE_M
#define TILE_M 128
#endif
#ifndef TILE_N
#define TILE_N 256
#endif
#ifndef L1_K
#define L1_K 256
#endif
#ifndef L0_K
#define L0_K 64
#endif
#ifndef ENABLE_UNIT
#define ENABLE_UNIT 1
#endif
#ifndef ENABLE_SHUFFLE_K
#define ENABLE_SHUFFLE_K 0
#endif
#ifndef ENABLE_ABBA
#define ENABLE_ABBA 0
#endif
#ifndef SWIZZLE_OFFSET
#define SWIZZLE_OFFSET 3
#endif
#ifndef SWIZZLE_DIRECTION
#define SWIZZLE_DIRECTION 0
#endif

// Taken over before anything is included and then undefined: CATLASS uses some of these names itself.
#include <cstdint>

namespace ascend_tune::chosen {
constexpr uint32_t tile_m = TILE_M, tile_n = TILE_N, l1_k = L1_K, l0_k = L0_K;
constexpr uint32_t unit_flag = ENABLE_UNIT, shuffle_k = ENABLE_SHUFFLE_K, abba = ENABLE_ABBA;
constexpr uint32_t swizzle_offset = SWIZZLE_OFFSET, swizzle_direction = SWIZZLE_DIRECTION;
} // namespace ascend_tune::chosen

#undef TILE_M
#undef TILE_N
#undef L1_K
#undef L0_K
#undef ENABLE_UNIT
#undef ENABLE_SHUFFLE_K
#undef ENABLE_ABBA
#undef SWIZZLE_OFFSET
#undef SWIZZLE_DIRECTION

// The problem's type and layout: a member of Dtype and of Layout (gemm.hpp).
#ifndef GEMM_DTYPE
#define GEMM_DTYPE FLOAT16
#endif
#ifndef GEMM_LAYOUT
#define GEMM_LAYOUT NN
#endif

// Unique per build, so that two loaded libraries never share a kernel's name.
#ifndef KERNEL_NAME
#define KERNEL_NAME ascend_tune_gemm
#endif

// That this kernel runs on cube cores is said in one of three ways: KERNEL_TYPE=__cube__ for `-x asc`; KERNEL_TASK=
// KERNEL_TYPE_AIC_ONLY for those of its compilers that do not know that word (no example of CANN 8.5.0 has it); by the
// command line, both empty.
#ifndef KERNEL_TYPE
#define KERNEL_TYPE
#endif

#ifdef ASCEND_TUNE_HOST
#include "host.hpp"
#else
#include "device.hpp"
#endif

namespace ascend_tune {
using Tuned = Tiling<
    chosen::tile_m, chosen::tile_n, chosen::l1_k, chosen::l0_k, chosen::unit_flag, chosen::shuffle_k, chosen::abba,
    chosen::swizzle_offset, chosen::swizzle_direction>;
}

#ifdef ASCEND_TUNE_HOST

namespace ascend_tune {
Machine run_host(Shape const& shape, Operands const& operands, uint32_t cores, uint32_t schedule)
{
    return emulate<Tuned, Dtype::GEMM_DTYPE, Layout::GEMM_LAYOUT>(shape, operands, cores, schedule);
}
} // namespace ascend_tune

#include "host_entry.hpp"

#else

extern "C" CATLASS_GLOBAL KERNEL_TYPE void KERNEL_NAME(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t m, uint32_t n, uint32_t k)
{
#ifdef KERNEL_TASK
    KERNEL_TASK_TYPE_DEFAULT(KERNEL_TASK);
#endif
    ascend_tune::compute<ascend_tune::Tuned, ascend_tune::Dtype::GEMM_DTYPE, ascend_tune::Layout::GEMM_LAYOUT>(a, b, c, m, n, k);
}

// Queues one product on the stream and returns at once.
extern "C" __attribute__((visibility("default"))) int ascend_tune_launch(
    uint32_t blocks, void* stream, void* a, void* b, void* c, uint32_t m, uint32_t n, uint32_t k)
{
    KERNEL_NAME<<<blocks, nullptr, stream>>>((uint8_t*)a, (uint8_t*)b, (uint8_t*)c, m, n, k);
    return 0;
}

#include "timing.hpp"

#endif
