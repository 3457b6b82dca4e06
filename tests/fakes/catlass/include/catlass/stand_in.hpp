// Stands in for CATLASS's tile components where CATLASS is not at hand: the interface that device.hpp uses, written anew
// on the calls of tests/fakes/ascendc. A slow test runs the same kernels through CATLASS's own headers.
//
// Names and meaning: hicann/catlass:include/catlass/{layout/matrix.hpp, gemm/helper.hpp, gemm/tile/*.hpp, arch/*.hpp}.
#pragma once

#include <cstdint>
#include <type_traits>

#include "kernel_operator.h"

#if !defined(CATLASS_ARCH) || CATLASS_ARCH != 2201
#error "CATLASS_ARCH must be 2201"
#endif
#if defined(TILE_M) || defined(TILE_N) || defined(L1_K) || defined(L0_K) || defined(ENABLE_UNIT) || defined(ENABLE_ABBA) || \
    defined(ENABLE_SHUFFLE_K) || defined(SWIZZLE_OFFSET) || defined(SWIZZLE_DIRECTION)
#error "a parameter is still a macro: CATLASS has members of these names"
#endif

#define CATLASS_DEVICE __forceinline__ __aicore__
#define CATLASS_GLOBAL __global__ __aicore__

namespace Catlass {

constexpr uint32_t FRACTAL = 16, LONGEST_STRIDE = 65536;

constexpr uint32_t up(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }

struct MatrixCoord {
    uint32_t row, column;
};

inline MatrixCoord MakeCoord(uint32_t row, uint32_t column) { return {row, column}; }

namespace Arch {

struct AtlasA2 {
    static constexpr uint32_t L1_SIZE = 512 * 1024, L0A_SIZE = 64 * 1024, L0B_SIZE = 64 * 1024, L0C_SIZE = 128 * 1024;
};

template <AscendC::TPosition position>
struct Buffer {
    template <class T>
    AscendC::LocalTensor<T> GetBufferByByte(uint32_t offset) const
    {
        return {&AscendC::memory_of(position), offset};
    }
};

template <class Tag>
struct Resource {
    Buffer<AscendC::TPosition::A1> l1Buf;
    Buffer<AscendC::TPosition::A2> l0ABuf;
    Buffer<AscendC::TPosition::B2> l0BBuf;
    Buffer<AscendC::TPosition::CO1> l0CBuf;
};

} // namespace Arch

namespace layout {

// In memory; `stride`: elements from one row (column) to the next.
struct RowMajor {
    uint32_t rows, columns;
    uint64_t stride;

    RowMajor(uint32_t rows_, uint32_t columns_) : rows(rows_), columns(columns_), stride(columns_) {}
    uint64_t GetOffset(MatrixCoord at) const { return at.row * stride + at.column; }

    RowMajor GetTileLayout(MatrixCoord size) const
    {
        RowMajor tile(size.row, size.column);
        tile.stride = stride;
        return tile;
    }
};

struct ColumnMajor {
    uint32_t rows, columns;
    uint64_t stride;

    ColumnMajor(uint32_t rows_, uint32_t columns_) : rows(rows_), columns(columns_), stride(rows_) {}
    uint64_t GetOffset(MatrixCoord at) const { return at.column * stride + at.row; }

    ColumnMajor GetTileLayout(MatrixCoord size) const
    {
        ColumnMajor tile(size.row, size.column);
        tile.stride = stride;
        return tile;
    }
};

// In L1: columns in groups of 32 bytes, each group with all its rows (zN), or rows in groups with all columns (nZ).
struct zN {
    uint32_t rows, columns, group;

    template <class T>
    static zN MakeLayout(uint32_t rows, uint32_t columns)
    {
        constexpr uint32_t group = 32 / sizeof(T);
        return {up(rows, FRACTAL), up(columns, group), group};
    }

    static zN MakeLayoutInL0C(MatrixCoord size) { return {up(size.row, FRACTAL), up(size.column, FRACTAL), FRACTAL}; }

    uint64_t GetOffset(MatrixCoord at) const
    {
        return uint64_t(at.column / group) * rows * group + uint64_t(at.row) * group + at.column % group;
    }
};

struct nZ {
    uint32_t rows, columns, group;

    template <class T>
    static nZ MakeLayout(uint32_t rows, uint32_t columns)
    {
        constexpr uint32_t group = 32 / sizeof(T);
        return {up(rows, group), up(columns, FRACTAL), group};
    }

    uint64_t GetOffset(MatrixCoord at) const
    {
        return uint64_t(at.row / group) * columns * group + uint64_t(at.column) * group + at.row % group;
    }
};

// In L0A: fractals of 16 rows, row of fractals by row of fractals.
struct zZ {
    uint32_t rows, columns;

    template <class T>
    static zZ MakeLayout(uint32_t rows, uint32_t columns)
    {
        return {up(rows, FRACTAL), up(columns, 32 / sizeof(T))};
    }
};

} // namespace layout

namespace Gemm {

template <class Element_, class Layout_>
struct GemmType {
    using Element = Element_;
    using Layout = Layout_;
};

namespace helper {

template <class A, class B>
struct ElementAccumulatorSelector {
    static_assert(std::is_same_v<A, B>);
    using ElementAccumulator = std::conditional_t<std::is_same_v<A, int8_t>, int32_t, float>;
};

template <class Element, class Layout>
struct L1AlignHelper {
    static constexpr uint32_t GROUP = 32 / sizeof(Element);
    static constexpr bool ROWS = std::is_same_v<Layout, layout::RowMajor>;
    static constexpr uint32_t M_ALIGNED = ROWS ? FRACTAL : GROUP, N_ALIGNED = ROWS ? GROUP : FRACTAL;
};

} // namespace helper

namespace Tile {

template <class T>
void load(AscendC::LocalTensor<T> to, AscendC::GlobalTensor<T> from, uint32_t rows, uint32_t columns, uint64_t stride, uint32_t height)
{
    AscendC::Nd2NzParams params;
    params.ndNum = 1;
    params.dValue = columns;
    params.dstNzC0Stride = height;
    if (stride < LONGEST_STRIDE) {
        params.nValue = rows;
        params.srcDValue = stride;
        params.dstNzNStride = 1;
        AscendC::DataCopy(to, from, params);
        return;
    }
    params.nValue = 1;
    for (uint32_t row = 0; row < rows; ++row) {
        AscendC::DataCopy(to[row * (32 / sizeof(T))], from[row * stride], params);
    }
}

template <class T>
struct RowsToL1 {
    void operator()(AscendC::LocalTensor<T> to, AscendC::GlobalTensor<T> from, layout::zN in, layout::RowMajor of) const
    {
        load(to, from, of.rows, of.columns, of.stride, in.rows);
    }
};

template <class T>
struct ColumnsToL1 {
    void operator()(AscendC::LocalTensor<T> to, AscendC::GlobalTensor<T> from, layout::nZ in, layout::ColumnMajor of) const
    {
        load(to, from, of.columns, of.rows, of.stride, in.columns);
    }
};

constexpr AscendC::IsResetLoad3dConfig MAP_IS_SET = {false, false};

// `rows` x `columns` out of a map of `points` x `channels`, to L0A (as it is or transposed) or L0B.
inline void load_map(
    AscendC::LocalTensor<float> to, AscendC::LocalTensor<float> from, uint32_t points, uint32_t channels, uint32_t rows,
    uint32_t columns, bool transpose, bool to_b)
{
    constexpr uint8_t NO_PADDING[4] = {0, 0, 0, 0};
    AscendC::SetFmatrix(
        1, points, NO_PADDING, to_b ? AscendC::FmatrixMode::FMATRIX_RIGHT : AscendC::FmatrixMode::FMATRIX_LEFT);
    AscendC::LoadData3DParamsV2<float> params;
    params.mExtension = rows;
    params.kExtension = columns;
    params.channelSize = channels;
    params.enTranspose = transpose;
    params.fMatrixCtrl = to_b;
    AscendC::LoadData<float, MAP_IS_SET>(to, from, params);
}

// Fractals: `outer` times `count` of them; steps between those of a count and from one outer step to the next.
template <class T>
void load_fractals(
    AscendC::LocalTensor<T> to, AscendC::LocalTensor<T> from, uint32_t outer, uint32_t count, uint32_t step,
    uint32_t outer_step, bool transpose)
{
    constexpr uint32_t ELEMENTS = 512 / sizeof(T);
    for (uint32_t at = 0; at < outer; ++at) {
        AscendC::LoadData2DParams params;
        params.repeatTimes = count;
        params.srcStride = step;
        params.ifTranspose = transpose;
        AscendC::LoadData(to[uint64_t(at) * count * ELEMENTS], from[uint64_t(at) * outer_step * ELEMENTS], params);
    }
}

template <class T, class Layout>
struct ToL0A {
    using LayoutSrc = std::conditional_t<std::is_same_v<Layout, layout::RowMajor>, layout::zN, layout::nZ>;
    using LayoutDst = layout::zZ;

    void operator()(AscendC::LocalTensor<T> to, AscendC::LocalTensor<T> from, LayoutDst in, LayoutSrc of) const
    {
        constexpr uint32_t GROUP = 32 / sizeof(T);
        const uint32_t fractals = in.columns / GROUP; // along k
        if constexpr (std::is_same_v<LayoutSrc, layout::zN>) {
            if constexpr (std::is_same_v<T, float>) {
                load_map(to, from, of.rows, of.columns, in.rows, in.columns, false, false);
            } else {
                load_fractals(to, from, in.rows / FRACTAL, fractals, of.rows / FRACTAL, 1, false);
            }
        } else if constexpr (std::is_same_v<T, float>) {
            load_map(to, from, of.columns, of.rows, up(in.columns, FRACTAL), up(in.rows, FRACTAL), true, false);
        } else if constexpr (sizeof(T) == 2) {
            load_fractals(to, from, in.rows / FRACTAL, fractals, 1, of.columns / FRACTAL, true);
        } else {
            for (uint32_t block = 0; block < up(in.rows, 32) / 32; ++block) {
                AscendC::LoadData2dTransposeParams params;
                params.repeatTimes = fractals;
                params.srcStride = 1;
                params.dstFracGap = fractals - 1;
                AscendC::LoadDataWithTranspose(
                    to[uint64_t(block) * 2 * fractals * 512], from[uint64_t(block) * of.columns * 32], params);
            }
        }
    }
};

template <class T, class Layout>
struct ToL0B {
    using LayoutSrc = std::conditional_t<std::is_same_v<Layout, layout::RowMajor>, layout::zN, layout::nZ>;
    using LayoutDst = layout::nZ;

    void operator()(AscendC::LocalTensor<T> to, AscendC::LocalTensor<T> from, LayoutDst in, LayoutSrc of) const
    {
        const uint32_t fractals = in.columns / FRACTAL; // along n
        if constexpr (std::is_same_v<LayoutSrc, layout::nZ>) {
            load_fractals(to, from, in.rows / in.group, fractals, 1, of.columns / FRACTAL, false);
        } else if constexpr (std::is_same_v<T, float>) {
            load_map(to, from, of.rows, up(of.columns, FRACTAL), up(in.rows, FRACTAL), in.columns, false, true);
        } else if constexpr (sizeof(T) == 2) {
            load_fractals(to, from, in.rows / FRACTAL, fractals, of.rows / FRACTAL, 1, true);
        } else {
            for (uint32_t block = 0; block < in.rows / 32; ++block) {
                AscendC::LoadData2dTransposeParams params;
                params.repeatTimes = up(in.columns, 32) / 32;
                params.srcStride = of.rows / FRACTAL / 2;
                params.dstGap = 1;
                AscendC::LoadDataWithTranspose(to[uint64_t(block) * fractals * 512], from[uint64_t(block) * 1024], params);
            }
        }
    }
};

template <class Sum, class Out>
struct ToMemory {
    void operator()(
        AscendC::GlobalTensor<Out> to, AscendC::LocalTensor<Sum> from, layout::RowMajor in, layout::zN of, uint8_t unit) const
    {
        AscendC::FixpipeParamsV220 params;
        params.mSize = in.rows;
        params.nSize = in.columns;
        params.srcStride = of.rows;
        params.dstStride = in.stride;
        params.quantPre = std::is_same_v<Out, half> ? F322F16 : std::is_same_v<Out, bfloat16_t> ? F322BF16 : NoQuant;
        params.unitFlag = unit;
        AscendC::Fixpipe<Out, Sum, AscendC::CFG_ROW_MAJOR>(to, from, params);
    }
};

template <class Tag, class A, class B, class C>
struct TileCopy {
    template <class Type>
    using ToL1 = std::conditional_t<
        std::is_same_v<typename Type::Layout, layout::RowMajor>, RowsToL1<typename Type::Element>,
        ColumnsToL1<typename Type::Element>>;
    using Sum = typename helper::ElementAccumulatorSelector<typename A::Element, typename B::Element>::ElementAccumulator;
    using CopyGmToL1A = ToL1<A>;
    using CopyGmToL1B = ToL1<B>;
    using CopyL1ToL0A = ToL0A<typename A::Element, typename A::Layout>;
    using CopyL1ToL0B = ToL0B<typename B::Element, typename B::Layout>;
    using CopyL0CToGm = ToMemory<Sum, typename C::Element>;
};

template <class Tag, class A, class B, class Bias>
struct TileMmad {
    using T = typename A::Element;
    using Sum = typename helper::ElementAccumulatorSelector<T, typename B::Element>::ElementAccumulator;

    void operator()(
        AscendC::LocalTensor<Sum> c, AscendC::LocalTensor<T> a, AscendC::LocalTensor<T> b, uint32_t m, uint32_t n, uint32_t k,
        bool first, uint8_t unit) const
    {
        AscendC::MmadParams params;
        params.m = m;
        params.n = n;
        params.k = k;
        params.cmatrixInitVal = first;
        params.unitFlag = unit;
#if defined(__NPU_ARCH__) && __NPU_ARCH__ == 2201 // as CATLASS 1.5 and newer
        params.kDirectionAlign = std::is_same_v<T, float> && std::is_same_v<typename A::Layout, layout::ColumnMajor>;
#endif
        AscendC::Mmad(c, a, b, params);
        if ((m / FRACTAL) * (n / FRACTAL) < 10) {
            AscendC::PipeBarrier<PIPE_M>();
        }
    }
};

} // namespace Tile
} // namespace Gemm
} // namespace Catlass
