// Device binding: what the loop of gemm.hpp calls, in CATLASS's tile components for NPU arch 2201 (Atlas A2, A3).
//
// Only tile components are used, no CATLASS block or kernel: none of those honours all nine parameters (GemmAtlasA2
// ignores the unit flag and the swizzle, MmadAtlasA2Preload has no ABBA, MmadAtlasA2Pingpong neither ABBA nor shuffle-K).
// Components: hicann/catlass:include/catlass/gemm/tile/{tile_copy,tile_mmad}.hpp and arch/{arch,resource}.hpp.
#pragma once

#define K_MAX_SHAPE_DIM 0 // keeps AscendC's GlobalTensor from carrying a shape; must stand before every include

#include "kernel_operator.h"

// CATLASS 1.5 takes the tile of a transposed float A for what it is (rows of 16 along k, kDirectionAlign) only where the
// compiler defines __NPU_ARCH__. Those of CANN 8.2 and 8.3 do not: without it a k with k % 16 in 1 to 8 came out wrong.
// AscendC's own headers are read by now, so that theirs stay as they are.
#if defined(__CCE_AICORE__) && __CCE_AICORE__ == 220 && !defined(__NPU_ARCH__)
#define __NPU_ARCH__ 2201
#endif

#include "catlass/catlass.hpp"
#include "catlass/arch/arch.hpp"
#include "catlass/arch/resource.hpp"
#include "catlass/gemm/gemm_type.hpp"
#include "catlass/gemm/helper.hpp"
#include "catlass/gemm/tile/tile_copy.hpp"
#include "catlass/gemm/tile/tile_mmad.hpp"
#include "catlass/layout/layout.hpp"

#define GEMM_DEVICE CATLASS_DEVICE
#include "gemm.hpp"

namespace ascend_tune {

template <Dtype dtype>
struct Elements {
    using In = float;
    using Out = float;
};

template <>
struct Elements<Dtype::FLOAT16> {
    using In = half;
    using Out = half;
};

template <>
struct Elements<Dtype::BFLOAT16> {
    using In = bfloat16_t;
    using Out = bfloat16_t;
};

template <>
struct Elements<Dtype::INT8> {
    using In = int8_t;
    using Out = int32_t;
};

template <class Tiling, Dtype dtype, Layout layout>
class DeviceCube {
public:
    using Arch = Catlass::Arch::AtlasA2;
    using In = typename Elements<dtype>::In;
    using Out = typename Elements<dtype>::Out;
    using LayoutA = std::conditional_t<a_transposed(layout), Catlass::layout::ColumnMajor, Catlass::layout::RowMajor>;
    using LayoutB = std::conditional_t<b_transposed(layout), Catlass::layout::ColumnMajor, Catlass::layout::RowMajor>;
    using LayoutC = Catlass::layout::RowMajor;
    using TypeA = Catlass::Gemm::GemmType<In, LayoutA>;
    using TypeB = Catlass::Gemm::GemmType<In, LayoutB>;
    using TypeC = Catlass::Gemm::GemmType<Out, LayoutC>;
    using Copies = Catlass::Gemm::Tile::TileCopy<Arch, TypeA, TypeB, TypeC>;
    using Mmad = Catlass::Gemm::Tile::TileMmad<Arch, TypeA, TypeB, void>;
    using Sum = typename Catlass::Gemm::helper::ElementAccumulatorSelector<In, In>::ElementAccumulator;
    using L1LayoutA = typename Copies::CopyL1ToL0A::LayoutSrc;
    using L1LayoutB = typename Copies::CopyL1ToL0B::LayoutSrc;
    using L0LayoutA = typename Copies::CopyL1ToL0A::LayoutDst;
    using L0LayoutB = typename Copies::CopyL1ToL0B::LayoutDst;
    using AlignA = Catlass::Gemm::helper::L1AlignHelper<In, LayoutA>;
    using AlignB = Catlass::Gemm::helper::L1AlignHelper<In, LayoutB>;

    static_assert(Fits<Tiling, sizeof(In), Arch::L1_SIZE, Arch::L0A_SIZE, Arch::L0B_SIZE, Arch::L0C_SIZE>::value);

    static constexpr uint32_t A_BYTES = Tiling::tile_m * Tiling::l1_k * sizeof(In);
    static constexpr uint32_t B_BYTES = Tiling::tile_n * Tiling::l1_k * sizeof(In);

    CATLASS_DEVICE DeviceCube(GM_ADDR a, GM_ADDR b, GM_ADDR c, Shape const& shape)
        : layout_a(shape.m, shape.k), layout_b(shape.k, shape.n), layout_c(shape.m, shape.n)
    {
        gm_a.SetGlobalBuffer((__gm__ In*)a);
        gm_b.SetGlobalBuffer((__gm__ In*)b);
        gm_c.SetGlobalBuffer((__gm__ Out*)c);
        for (uint32_t slot = 0; slot < 2; ++slot) {
            l1_a[slot] = resource.l1Buf.template GetBufferByByte<In>(slot * A_BYTES);
            l1_b[slot] = resource.l1Buf.template GetBufferByByte<In>(2 * A_BYTES + slot * B_BYTES);
            l0_a[slot] = resource.l0ABuf.template GetBufferByByte<In>(slot * (Arch::L0A_SIZE / 2));
            l0_b[slot] = resource.l0BBuf.template GetBufferByByte<In>(slot * (Arch::L0B_SIZE / 2));
        }
        l0_c = resource.l0CBuf.template GetBufferByByte<Sum>(0);
    }

    CATLASS_DEVICE uint32_t core() const { return AscendC::GetBlockIdx(); }
    CATLASS_DEVICE uint32_t cores() const { return AscendC::GetBlockNum(); }

    // The mode register outlives a kernel, so both modes are set either way. With the unit flag the cube must produce C in
    // the order in which FixPipe takes it to row-major memory, along n first (asc-devkit docs, "UnitFlag"; AscendC's own
    // matmul and CATLASS's TLA blocks do so): else FixPipe waits for nearly the whole tile, and the flag gains nothing.
    CATLASS_DEVICE void open()
    {
        if constexpr (std::is_same_v<In, float>) {
            AscendC::SetHF32Mode(dtype == Dtype::HFLOAT32);
        }
        AscendC::SetMMLayoutTransform(Tiling::unit_flag);
    }

    CATLASS_DEVICE void close()
    {
        AscendC::PipeBarrier<PIPE_ALL>();
        if constexpr (dtype == Dtype::HFLOAT32) {
            AscendC::SetHF32Mode(false);
        }
        if constexpr (Tiling::unit_flag) {
            AscendC::SetMMLayoutTransform(false);
        }
    }

    template <Flag flag>
    CATLASS_DEVICE void set(uint32_t id)
    {
        if constexpr (flag == Flag::A_FREE) {
            AscendC::SetFlag<AscendC::HardEvent::MTE1_MTE2>((int32_t)id);
        } else if constexpr (flag == Flag::B_FREE) {
            AscendC::SetFlag<AscendC::HardEvent::MTE1_MTE2>((int32_t)(id + 2));
        } else if constexpr (flag == Flag::A_READY) {
            AscendC::SetFlag<AscendC::HardEvent::MTE2_MTE1>((int32_t)id);
        } else if constexpr (flag == Flag::B_READY) {
            AscendC::SetFlag<AscendC::HardEvent::MTE2_MTE1>((int32_t)(id + 2));
        } else if constexpr (flag == Flag::L0_FREE) {
            AscendC::SetFlag<AscendC::HardEvent::M_MTE1>((int32_t)id);
        } else if constexpr (flag == Flag::L0_READY) {
            AscendC::SetFlag<AscendC::HardEvent::MTE1_M>((int32_t)id);
        } else if constexpr (flag == Flag::C_READY) {
            AscendC::SetFlag<AscendC::HardEvent::M_FIX>((int32_t)id);
        } else {
            AscendC::SetFlag<AscendC::HardEvent::FIX_M>((int32_t)id);
        }
    }

    template <Flag flag>
    CATLASS_DEVICE void wait(uint32_t id)
    {
        if constexpr (flag == Flag::A_FREE) {
            AscendC::WaitFlag<AscendC::HardEvent::MTE1_MTE2>((int32_t)id);
        } else if constexpr (flag == Flag::B_FREE) {
            AscendC::WaitFlag<AscendC::HardEvent::MTE1_MTE2>((int32_t)(id + 2));
        } else if constexpr (flag == Flag::A_READY) {
            AscendC::WaitFlag<AscendC::HardEvent::MTE2_MTE1>((int32_t)id);
        } else if constexpr (flag == Flag::B_READY) {
            AscendC::WaitFlag<AscendC::HardEvent::MTE2_MTE1>((int32_t)(id + 2));
        } else if constexpr (flag == Flag::L0_FREE) {
            AscendC::WaitFlag<AscendC::HardEvent::M_MTE1>((int32_t)id);
        } else if constexpr (flag == Flag::L0_READY) {
            AscendC::WaitFlag<AscendC::HardEvent::MTE1_M>((int32_t)id);
        } else if constexpr (flag == Flag::C_READY) {
            AscendC::WaitFlag<AscendC::HardEvent::M_FIX>((int32_t)id);
        } else {
            AscendC::WaitFlag<AscendC::HardEvent::FIX_M>((int32_t)id);
        }
    }

    CATLASS_DEVICE void load_a(uint32_t slot, uint32_t row, uint32_t height, uint32_t k, uint32_t length)
    {
        copy_gm_to_l1_a(
            l1_a[slot], gm_a[layout_a.GetOffset(Catlass::MatrixCoord{row, k})],
            L1LayoutA::template MakeLayout<In>(Tiling::tile_m, Tiling::l1_k),
            layout_a.GetTileLayout(Catlass::MakeCoord(height, length)));
    }

    CATLASS_DEVICE void load_b(uint32_t slot, uint32_t column, uint32_t width, uint32_t k, uint32_t length)
    {
        copy_gm_to_l1_b(
            l1_b[slot], gm_b[layout_b.GetOffset(Catlass::MatrixCoord{k, column})],
            L1LayoutB::template MakeLayout<In>(Tiling::l1_k, Tiling::tile_n),
            layout_b.GetTileLayout(Catlass::MakeCoord(length, width)));
    }

    CATLASS_DEVICE void feed_a(uint32_t stage, uint32_t slot, uint32_t k, uint32_t height, uint32_t length)
    {
        auto from = L1LayoutA::template MakeLayout<In>(Tiling::tile_m, Tiling::l1_k);
        copy_l1_to_l0_a(
            l0_a[stage], l1_a[slot][from.GetOffset(Catlass::MatrixCoord{0, k})],
            L0LayoutA::template MakeLayout<In>(whole_rows(height), length), from);
    }

    CATLASS_DEVICE void feed_b(uint32_t stage, uint32_t slot, uint32_t k, uint32_t width, uint32_t length)
    {
        auto from = L1LayoutB::template MakeLayout<In>(Tiling::l1_k, Tiling::tile_n);
        copy_l1_to_l0_b(
            l0_b[stage], l1_b[slot][from.GetOffset(Catlass::MatrixCoord{k, 0})],
            L0LayoutB::template MakeLayout<In>(length, whole_columns(width)), from);
    }

    CATLASS_DEVICE void multiply(uint32_t stage, uint32_t height, uint32_t width, uint32_t length, bool first, Unit unit)
    {
        mmad(l0_c, l0_a[stage], l0_b[stage], whole_rows(height), whole_columns(width), length, first, (uint8_t)unit);
    }

    CATLASS_DEVICE void store(uint32_t row, uint32_t column, uint32_t height, uint32_t width, Unit unit)
    {
        copy_l0_c_to_gm(
            gm_c[layout_c.GetOffset(Catlass::MatrixCoord{row, column})], l0_c,
            layout_c.GetTileLayout(Catlass::MakeCoord(height, width)),
            Catlass::layout::zN::MakeLayoutInL0C(Catlass::MakeCoord(whole_rows(height), whole_columns(width))), (uint8_t)unit);
    }

private:
    // The cube works on whole fractals: 16 wide, or what the copy of this type and layout needs (32 for int8).
    static constexpr uint32_t ROW_UNIT = AlignA::M_ALIGNED > 16 ? AlignA::M_ALIGNED : 16;
    static constexpr uint32_t COLUMN_UNIT = AlignB::N_ALIGNED > 16 ? AlignB::N_ALIGNED : 16;

    CATLASS_DEVICE static uint32_t whole_rows(uint32_t height)
    {
        return (height + ROW_UNIT - 1) / ROW_UNIT * ROW_UNIT;
    }

    CATLASS_DEVICE static uint32_t whole_columns(uint32_t width)
    {
        return (width + COLUMN_UNIT - 1) / COLUMN_UNIT * COLUMN_UNIT;
    }

    Catlass::Arch::Resource<Arch> resource; // once per kernel: its constructor and destructor balance some flags
    LayoutA layout_a;
    LayoutB layout_b;
    LayoutC layout_c;
    AscendC::GlobalTensor<In> gm_a, gm_b;
    AscendC::GlobalTensor<Out> gm_c;
    AscendC::LocalTensor<In> l1_a[2], l1_b[2], l0_a[2], l0_b[2];
    AscendC::LocalTensor<Sum> l0_c;
    typename Copies::CopyGmToL1A copy_gm_to_l1_a;
    typename Copies::CopyGmToL1B copy_gm_to_l1_b;
    typename Copies::CopyL1ToL0A copy_l1_to_l0_a;
    typename Copies::CopyL1ToL0B copy_l1_to_l0_b;
    typename Copies::CopyL0CToGm copy_l0_c_to_gm;
    Mmad mmad;
};

// The kernel's body. On a core of the other kind (AIV) there is nothing to do.
template <class Tiling, Dtype dtype, Layout layout, int32_t CORE = g_coreType>
CATLASS_DEVICE void compute(GM_ADDR a, GM_ADDR b, GM_ADDR c, uint32_t m, uint32_t n, uint32_t k)
{
    if constexpr (CORE == AscendC::AIC) {
        const Shape shape{m, n, k};
        DeviceCube<Tiling, dtype, layout> cube(a, b, c, shape);
        Gemm<Tiling, DeviceCube<Tiling, dtype, layout>> gemm(cube, shape);
        gemm.run();
    }
}

} // namespace ascend_tune
