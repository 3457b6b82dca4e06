// A small AscendC for tests: just the calls that kernel_templates/catlass_gemm uses, directly or by way of CATLASS's tile
// components, with the signatures, units and limits of the public documentation (asc-devkit: docs/zh/api). What they do
// runs on machine.hpp. Fields are as narrow as there: what does not fit is cut off, as on the device.
#pragma once

#include <cstdint>
#include <type_traits>

#include "machine.hpp"
#include "numbers.hpp"

#define __aicore__
#define __global__
#ifndef FAKE_NO_CUBE_WORD // a compiler that does not know it
#define __cube__
#endif
#define __gm__
#define __forceinline__ inline
#define GM_ADDR uint8_t*
#define PIPE_S fake_ascendc::S
#define PIPE_V fake_ascendc::V
#define PIPE_M fake_ascendc::M
#define PIPE_MTE1 fake_ascendc::MTE1
#define PIPE_MTE2 fake_ascendc::MTE2
#define PIPE_MTE3 fake_ascendc::MTE3
#define PIPE_FIX fake_ascendc::FIX
#define PIPE_ALL fake_ascendc::PIPES
// asc-devkit docs, "KERNEL_TASK_TYPE_DEFAULT": a statement inside of the kernel.
#define KERNEL_TYPE_AIC_ONLY 1
#define KERNEL_TASK_TYPE_DEFAULT(kind) static_assert((kind) == KERNEL_TYPE_AIC_ONLY, "a kernel of this kind is not emulated")

enum QuantMode_t { NoQuant, F322F16, F322BF16, DEQF16, VDEQF16, QF322B8_PRE, VQF322B8_PRE, REQ8, VREQ8 };

namespace AscendC {

constexpr int32_t AIC = 1, AIV = 2;

enum class TPosition { GM, A1, A2, B1, B2, C1, C2, CO1, CO2, VECIN, VECOUT, VECCALC, C2PIPE2GM };

enum class HardEvent { MTE2_MTE1, MTE1_MTE2, MTE1_M, M_MTE1, M_FIX, FIX_M, V_MTE2, MTE2_V, V_MTE3, MTE3_V, MTE2_S, MTE3_S, S_V };

constexpr std::pair<uint32_t, uint32_t> pipes_of(HardEvent event)
{
    using namespace fake_ascendc;
    switch (event) {
        case HardEvent::MTE2_MTE1: return {MTE2, MTE1};
        case HardEvent::MTE1_MTE2: return {MTE1, MTE2};
        case HardEvent::MTE1_M: return {MTE1, M};
        case HardEvent::M_MTE1: return {M, MTE1};
        case HardEvent::M_FIX: return {M, FIX};
        case HardEvent::FIX_M: return {FIX, M};
        case HardEvent::V_MTE2: return {V, MTE2};
        case HardEvent::MTE2_V: return {MTE2, V};
        case HardEvent::V_MTE3: return {V, MTE3};
        case HardEvent::MTE2_S: return {MTE2, S};
        case HardEvent::MTE3_S: return {MTE3, S};
        case HardEvent::S_V: return {S, V};
        default: return {MTE3, V};
    }
}

template <HardEvent event>
void SetFlag(int32_t id)
{
    fake_ascendc::machine().set_flag(pipes_of(event).first, pipes_of(event).second, id);
}

template <HardEvent event>
void WaitFlag(int32_t id)
{
    fake_ascendc::machine().wait_flag(pipes_of(event).first, pipes_of(event).second, id);
}

template <uint32_t pipe>
void PipeBarrier()
{
    fake_ascendc::machine().barrier(pipe);
}

inline uint32_t GetBlockIdx() { return fake_ascendc::machine().core; }
inline uint32_t GetBlockNum() { return fake_ascendc::machine().cores; }

// The mode register. true: FP32 operands are rounded to HF32; the cube goes along n first.
inline void SetHF32Mode(bool on)
{
    fake_ascendc::machine().hf32 = on;
    fake_ascendc::machine().hf32_set = true;
}

inline void SetMMLayoutTransform(bool n_first)
{
    fake_ascendc::machine().n_first = n_first;
    fake_ascendc::machine().n_first_set = true;
}

// --- Tensors ---------------------------------------------------------------------------------------------------------

template <class T>
struct LocalTensor {
    using PrimType = T;
    fake_ascendc::Memory* memory = nullptr;
    uint64_t at = 0; // bytes

    LocalTensor operator[](uint64_t elements) const { return {memory, at + elements * sizeof(T)}; }

    template <class U>
    LocalTensor<U> ReinterpretCast() const
    {
        return {memory, at};
    }

    template <class Address>
    void SetAddr(Address const&);
};

template <class T>
struct GlobalTensor {
    using PrimType = T;
    T* pointer = nullptr;

    void SetGlobalBuffer(T* start) { pointer = start; }
    GlobalTensor operator[](uint64_t elements) const { return {pointer + elements}; }
};

inline fake_ascendc::Memory& memory_of(TPosition position)
{
    auto& machine = fake_ascendc::machine();
    switch (position) {
        case TPosition::A1:
        case TPosition::B1:
        case TPosition::C1: return machine.l1;
        case TPosition::A2: return machine.l0a;
        case TPosition::B2: return machine.l0b;
        case TPosition::CO1: return machine.l0c;
        case TPosition::C2: return machine.bt;
        case TPosition::C2PIPE2GM: return machine.fb;
        default: return machine.ub;
    }
}

template <TPosition position>
struct TBuf {
    template <class T>
    LocalTensor<T> Get()
    {
        return {&memory_of(position), 0};
    }
};

// The constructor of the real one sets flags of its own, its Destroy() takes them back.
struct TPipe {
    TPipe() { current() = this; }

    template <class Buffer>
    void InitBuffer(Buffer&, uint32_t)
    {}

    template <TPosition position>
    void InitBuffer(TBuf<position>&, uint32_t bytes)
    {
        memory_of(position).check(0, bytes, "InitBuffer");
    }

    void Destroy() {}

    static TPipe*& current()
    {
        static TPipe* pipe = nullptr;
        return pipe;
    }
};

// --- Global memory to L1 ---------------------------------------------------------------------------------------------

constexpr void limit(uint64_t value, uint64_t lowest, uint64_t highest, char const* what)
{
    if (value < lowest || value > highest) {
        fake_ascendc::fail(what, " is ", value, "; ", lowest, " to ", highest, " is allowed");
    }
}

inline void aligned(uint64_t address, uint64_t bytes, char const* what)
{
    if (address % bytes != 0) {
        fake_ascendc::fail(what, ": address ", address, " is no multiple of ", bytes);
    }
}

// asc-devkit docs, "DataCopy (GM to L1, ND2NZ)": strides of the source in elements, of the target in blocks of 32 bytes.
struct Nd2NzParams {
    uint16_t ndNum = 0, nValue = 0;
    uint16_t dValue = 0, srcNdMatrixStride = 0, srcDValue = 0;
    uint16_t dstNzC0Stride = 0, dstNzNStride = 0, dstNzMatrixStride = 0;
};

template <class T>
void DataCopy(LocalTensor<T> const& to, GlobalTensor<T> const& from, Nd2NzParams const& params)
{
    constexpr uint32_t C0 = fake_ascendc::BLOCK / sizeof(T);
    limit(params.ndNum, 0, 4095, "DataCopy ND2NZ: ndNum");
    limit(params.nValue, 0, 16384, "DataCopy ND2NZ: nValue");
    limit(params.dstNzC0Stride, 1, 16384, "DataCopy ND2NZ: dstNzC0Stride");
    if (params.nValue > 1) { // with one row there is no next one
        limit(params.srcDValue, 1, 65535, "DataCopy ND2NZ: srcDValue");
        limit(params.dstNzNStride, 1, 16384, "DataCopy ND2NZ: dstNzNStride");
    }
    aligned(to.at, 32, "DataCopy ND2NZ: the target");
    if (params.ndNum != 1) {
        fake_ascendc::fail("DataCopy ND2NZ: ndNum ", params.ndNum, " is not emulated");
    }
    auto& machine = fake_ascendc::machine();
    auto const& clock = machine.issue(fake_ascendc::MTE2, 80 + uint64_t(params.nValue) * params.dValue * sizeof(T) / 100);
    for (uint32_t row = 0; row < params.nValue; ++row) {
        T const* source = from.pointer + uint64_t(row) * params.srcDValue;
        machine.check_global(source, uint64_t(params.dValue) * sizeof(T), false, "DataCopy ND2NZ");
        for (uint32_t column = 0; column < params.dValue; column += C0) {
            const uint64_t block = uint64_t(column / C0) * params.dstNzC0Stride + uint64_t(row) * params.dstNzNStride;
            uint8_t* target = to.memory->write(to.at + block * 32, 32, fake_ascendc::MTE2, clock, "DataCopy ND2NZ");
            const uint32_t count = std::min<uint32_t>(C0, params.dValue - column);
            std::memset(target, 0, 32); // the rest of the block is filled with zeros
            std::memcpy(target, source + column, count * sizeof(T));
        }
    }
}

// asc-devkit docs, "DataCopy (GM to L1, contiguous)": whole blocks of 32 bytes.
template <class T>
void DataCopy(LocalTensor<T> const& to, GlobalTensor<T> const& from, uint32_t count)
{
    const uint64_t bytes = uint64_t(count) * sizeof(T);
    limit(bytes / 32, 1, 65535, "DataCopy: blocks of 32 bytes");
    aligned(bytes, 32, "DataCopy: the length");
    aligned(to.at, 32, "DataCopy: the target");
    auto& machine = fake_ascendc::machine();
    auto const& clock = machine.issue(fake_ascendc::MTE2, 80 + bytes / 100);
    machine.check_global(from.pointer, bytes, false, "DataCopy");
    std::memcpy(to.memory->write(to.at, bytes, fake_ascendc::MTE2, clock, "DataCopy"), from.pointer, bytes);
}

// --- L1 to L0A and L0B -----------------------------------------------------------------------------------------------

inline void check_load(uint64_t to, uint64_t from, char const* what)
{
    aligned(to, 512, what);
    aligned(from, 32, what);
}

// asc-devkit docs, "LoadData 2D": fractals of 512 bytes; strides in fractals.
struct LoadData2DParams {
    uint16_t startIndex = 0, dstGap = 0, srcStride = 0;
    bool ifTranspose = false;
    uint8_t repeatTimes = 0, sid = 0, addrMode = 0;
};

template <class T>
void LoadData(LocalTensor<T> const& to, LocalTensor<T> const& from, LoadData2DParams const& params)
{
    check_load(to.at, from.at, "LoadData 2D");
    if (params.ifTranspose && sizeof(T) != 2) {
        fake_ascendc::fail("LoadData 2D: only 16-bit types are transposed on the way");
    }
    if (params.addrMode != 0) {
        fake_ascendc::fail("LoadData 2D: addrMode ", uint32_t(params.addrMode), " is not emulated");
    }
    auto& machine = fake_ascendc::machine();
    auto const& clock = machine.issue(fake_ascendc::MTE1, 10 + 4ull * params.repeatTimes);
    for (uint32_t repeat = 0; repeat < params.repeatTimes; ++repeat) {
        const uint64_t source = from.at + 512ull * (params.startIndex + uint64_t(repeat) * params.srcStride);
        const uint64_t target = to.at + 512ull * repeat * (1u + params.dstGap);
        uint8_t const* in = from.memory->read(source, 512, fake_ascendc::MTE1, clock, "LoadData 2D");
        uint8_t* out = to.memory->write(target, 512, fake_ascendc::MTE1, clock, "LoadData 2D");
        uint8_t const* known = from.memory->known.data() + source;
        uint8_t* mark = to.memory->known.data() + target;
        for (uint32_t element = 0; element < 512 / sizeof(T); ++element) {
            const uint32_t other = params.ifTranspose ? element % 16 * 16 + element / 16 : element;
            std::memcpy(out + element * sizeof(T), in + other * sizeof(T), sizeof(T));
            std::memcpy(mark + element * sizeof(T), known + other * sizeof(T), sizeof(T));
        }
    }
}

// asc-devkit docs, "LoadDataWithTranspose": squares of 32 x 32 bytes (8 bit) or 16 x 16 words (32 bit), two fractals each;
// startIndex and srcStride in squares, gaps in fractals.
struct LoadData2dTransposeParams {
    uint16_t startIndex = 0;
    uint8_t repeatTimes = 0;
    uint16_t srcStride = 0, dstGap = 0, dstFracGap = 0;
    uint8_t addrMode = 0;
};

template <class T>
void LoadDataWithTranspose(LocalTensor<T> const& to, LocalTensor<T> const& from, LoadData2dTransposeParams const& params)
{
    static_assert(sizeof(T) != 2, "16-bit types are transposed by LoadData here");
    constexpr uint32_t side = sizeof(T) == 1 ? 32 : 16, width = 32 / sizeof(T), bytes = side * side * sizeof(T);
    check_load(to.at, from.at, "LoadDataWithTranspose");
    auto& machine = fake_ascendc::machine();
    auto const& clock = machine.issue(fake_ascendc::MTE1, 10 + 8ull * params.repeatTimes);
    for (uint32_t repeat = 0; repeat < params.repeatTimes; ++repeat) {
        const uint64_t source = from.at + uint64_t(bytes) * (params.startIndex + uint64_t(repeat) * params.srcStride);
        const uint64_t target = to.at + 512ull * repeat * (1u + params.dstGap);
        uint8_t const* in = from.memory->read(source, bytes, fake_ascendc::MTE1, clock, "LoadDataWithTranspose");
        uint8_t const* known = from.memory->known.data() + source;
        for (uint32_t fractal = 0; fractal < 2; ++fractal) {
            const uint64_t start = target + 512ull * fractal * (1u + params.dstFracGap);
            uint8_t* out = to.memory->write(start, 512, fake_ascendc::MTE1, clock, "LoadDataWithTranspose");
            uint8_t* mark = to.memory->known.data() + start;
            for (uint32_t row = 0; row < 16; ++row) {
                for (uint32_t column = 0; column < width; ++column) {
                    // Row r of the transposed square is its column r; float squares are split along k, not along rows.
                    const uint32_t r = sizeof(T) == 1 ? fractal * 16 + row : row;
                    const uint32_t c = sizeof(T) == 1 ? column : fractal * 8 + column;
                    const uint32_t other = sizeof(T) == 1 ? c * 32 + r : r / 8 * 128 + c * 8 + r % 8;
                    std::memcpy(out + (row * width + column) * sizeof(T), in + other * sizeof(T), sizeof(T));
                    std::memcpy(mark + (row * width + column) * sizeof(T), known + other * sizeof(T), sizeof(T));
                }
            }
        }
    }
}

// asc-devkit docs, "LoadData 3D" and "SetFmatrix", as a plain copy: a feature map of one row, a filter of one point. The
// map's points are the rows of a matrix, its channels the columns; in L1 the columns lie in groups of 32 bytes.
enum class FmatrixMode { FMATRIX_LEFT = 0, FMATRIX_RIGHT = 1 };

struct IsResetLoad3dConfig {
    bool isSetFMatrix = true, isSetPadding = true;
};

constexpr IsResetLoad3dConfig IS_RESER_LOAD3D_DEFAULT_CONFIG = {true, true};

inline void SetFmatrix(uint16_t height, uint16_t width, const uint8_t (&pad)[4], FmatrixMode const& mode)
{
    limit(height, 1, 32767, "SetFmatrix: l1H");
    limit(width, 1, 32767, "SetFmatrix: l1W");
    if (height != 1 || pad[0] != 0 || pad[1] != 0 || pad[2] != 0 || pad[3] != 0) {
        fake_ascendc::fail("SetFmatrix: only one row without padding is emulated");
    }
    fake_ascendc::machine().fmatrix[static_cast<uint32_t>(mode)] = width;
}

template <class T>
struct LoadData3DParamsV2 {
    uint8_t padList[4] = {0, 0, 0, 0};
    uint16_t l1H = 0, l1W = 0, channelSize = 0, kExtension = 0, mExtension = 0, kStartPt = 0, mStartPt = 0;
    uint8_t strideW = 1, strideH = 1, filterW = 1, filterH = 1, dilationFilterW = 1, dilationFilterH = 1;
    bool enTranspose = false, enSmallK = false;
    T padValue{};
    bool filterSizeW = false, filterSizeH = false, fMatrixCtrl = false;
};

// A reference in AscendC. CATLASS passes a constant of the calling function, at which g++ 12 breaks down: by value then.
#if __cplusplus >= 202002L
#define FAKE_CONSTANT(type) type
#else
#define FAKE_CONSTANT(type) type const&
#endif

template <class T, FAKE_CONSTANT(IsResetLoad3dConfig) config = IS_RESER_LOAD3D_DEFAULT_CONFIG>
void LoadData(LocalTensor<T> const& to, LocalTensor<T> const& from, LoadData3DParamsV2<T> const& params)
{
    static_assert(std::is_same_v<T, float>, "LoadData 3D is emulated for float");
    constexpr uint32_t C0 = 8;
    auto& machine = fake_ascendc::machine();
    const bool to_b = to.memory == &machine.l0b;
    if (config.isSetFMatrix || config.isSetPadding) {
        fake_ascendc::fail("LoadData 3D: the feature map must be set by SetFmatrix");
    }
    const uint32_t points = machine.fmatrix[params.fMatrixCtrl ? 1 : 0];
    const uint32_t rows = params.mExtension, columns = params.kExtension;
    check_load(to.at, from.at, "LoadData 3D");
    if (params.fMatrixCtrl != to_b) {
        fake_ascendc::fail("LoadData 3D: ", to_b ? "B takes FMATRIX_RIGHT" : "A takes FMATRIX_LEFT");
    }
    limit(params.channelSize, 1, 63 * 1024, "LoadData 3D: channelSize");
    if (params.channelSize % 8 != 0 || columns % C0 != 0 || rows % 16 != 0) {
        fake_ascendc::fail("LoadData 3D: channelSize and kExtension are multiples of 8, mExtension of 16");
    }
    if ((params.enTranspose || to_b) && columns % 16 != 0) {
        fake_ascendc::fail("LoadData 3D: a transposed float matrix has multiples of 16 columns");
    }
    if (rows > points || columns > params.channelSize) {
        fake_ascendc::fail("LoadData 3D: ", rows, " x ", columns, " is cut out of ", points, " x ", params.channelSize);
    }
    auto const& clock = machine.issue(fake_ascendc::MTE1, 16 + uint64_t(rows) * columns * 4 / 128);
    for (uint32_t row = 0; row < rows; row += 1) {
        for (uint32_t group = 0; group < columns / C0; ++group) {
            const uint64_t source = from.at + (uint64_t(group) * points + row) * 32;
            from.memory->read(source, 32, fake_ascendc::MTE1, clock, "LoadData 3D");
        }
    }
    to.memory->write(to.at, uint64_t(rows) * columns * 4, fake_ascendc::MTE1, clock, "LoadData 3D");
    for (uint32_t row = 0; row < rows; ++row) {
        for (uint32_t column = 0; column < columns; ++column) {
            uint64_t target = 0;
            if (to_b) { // k x n, fractals of 16 along n and 8 along k, k outermost
                target = (uint64_t(row / 8) * (columns / 16) + column / 16) * 128 + column % 16 * 8 + row % 8;
            } else if (params.enTranspose) {
                target = (uint64_t(column / 16) * (rows / 8) + row / 8) * 128 + column % 16 * 8 + row % 8;
            } else {
                target = (uint64_t(row / 16) * (columns / 8) + column / 8) * 128 + row % 16 * 8 + column % 8;
            }
            const uint64_t source = from.at + (uint64_t(column / C0) * points + row) * 32 + column % C0 * 4;
            std::memcpy(to.memory->bytes.data() + to.at + target * 4, from.memory->bytes.data() + source, 4);
            std::memcpy(to.memory->known.data() + to.at + target * 4, from.memory->known.data() + source, 4);
        }
    }
}

// --- The cube --------------------------------------------------------------------------------------------------------

// asc-devkit docs, "Mmad" and "UnitFlag".
struct MmadParams {
    uint16_t m = 0, n = 0, k = 0;
    bool isBias = false;
    int32_t fmOffset = 0;
    bool enSsparse = false, enWinogradA = false, enWinogradB = false;
    uint8_t unitFlag = 0;
    bool kDirectionAlign = false, cmatrixSource = false, cmatrixInitVal = true;
};

constexpr uint32_t SMALL_TILE_FRACTALS = 10; // below it the next multiplication starts before this one has ended

template <class Sum, class In>
void Mmad(LocalTensor<Sum> const& to, LocalTensor<In> const& a, LocalTensor<In> const& b, MmadParams const& params)
{
    using namespace fake_ascendc;
    constexpr uint32_t C0 = 32 / sizeof(In);
    Machine& on = machine();
    limit(params.m, 1, 4095, "Mmad: m");
    limit(params.n, 1, 4095, "Mmad: n");
    limit(params.k, 1, 4095, "Mmad: k");
    aligned(a.at, 512, "Mmad: A");
    aligned(b.at, 512, "Mmad: B");
    aligned(to.at, 1024, "Mmad: C");
    if (a.memory != &on.l0a || b.memory != &on.l0b || to.memory != &on.l0c) {
        fail("Mmad: A is in ", a.memory->name, ", B in ", b.memory->name, ", C in ", to.memory->name);
    }
    if (params.unitFlag != 0 && params.unitFlag != 2 && params.unitFlag != 3) {
        fail("Mmad: unitFlag ", int32_t(params.unitFlag), "; 0, 2 and 3 exist");
    }
    if (params.unitFlag != 0 && sizeof(In) == 1) {
        fail("Mmad: the unit flag with int8 operands");
    }
    if (std::is_same_v<In, float> && !on.hf32_set) {
        fail("Mmad: float operands, and nobody said in which mode: the kernel before this one decides");
    }
    const uint32_t rows = (params.m + 15) / 16, columns = (params.n + 15) / 16, groups = (params.k + C0 - 1) / C0;
    const uint32_t a_groups = params.kDirectionAlign && sizeof(In) == 4 ? (params.k + 15) / 16 * 2 : groups;
    const uint64_t fractals = uint64_t(rows) * columns;
    const Clock before = on.issue(M, 20 + fractals * groups + (on.n_first ? 0 : 1));
    Clock clock = before;
    for (uint32_t column = 0; column < columns; ++column) {
        for (uint32_t row = 0; row < rows; ++row) {
            to.memory->check(to.at, 1024ull * fractals, "Mmad: C");
            Unit& unit = on.units[to.at / L0C_FRACTAL_BYTES + uint64_t(column) * rows + row];
            if (unit.full) {
                fail(params.unitFlag != 0 ? "Mmad waits for ever for the unit flag: FixPipe has not taken a tile of C"
                                          : "Mmad without the unit flag overwrites what it passed to FixPipe");
            }
            if (params.unitFlag != 0) {
                merge(clock, unit.clock);
                on.times[M] = std::max(on.times[M], unit.time);
            }
        }
    }
    on.clocks[M] = clock;
    if (!params.cmatrixInitVal && on.small_tile == to.at) {
        fail("Mmad adds to a small tile of C while the multiplication before it still runs: PipeBarrier<PIPE_M> between");
    }
    on.small_tile = fractals < SMALL_TILE_FRACTALS ? to.at : ~0ull;
    a.memory->read(a.at, 512ull * rows * a_groups, M, clock, "Mmad: A");
    b.memory->read(b.at, 512ull * columns * groups, M, clock, "Mmad: B");
    if (!params.cmatrixInitVal) {
        to.memory->read(to.at, 1024ull * fractals, M, clock, "Mmad: C");
    }
    const uint32_t m = params.m, n = params.n, k = params.k;
    std::vector<double> left(uint64_t(m) * k), right(uint64_t(k) * n), line(n);
    std::vector<uint8_t> row_known(m, 1), column_known(n, 1), c_known(uint64_t(m) * n);
    auto value = [&on](LocalTensor<In> const& tensor, uint64_t element, uint8_t& known) {
        In raw;
        const uint64_t at = tensor.at + element * sizeof(In);
        std::memcpy(&raw, tensor.memory->bytes.data() + at, sizeof raw);
        known &= tensor.memory->known[at];
        if constexpr (std::is_same_v<In, float>) {
            return static_cast<double>(on.hf32 ? fake_hf32(raw) : raw);
        } else {
            return static_cast<double>(static_cast<float>(raw));
        }
    };
    for (uint32_t row = 0; row < m; ++row) {
        for (uint32_t at = 0; at < k; ++at) {
            left[uint64_t(row) * k + at] =
                value(a, (uint64_t(row / 16) * a_groups + at / C0) * 16 * C0 + row % 16 * C0 + at % C0, row_known[row]);
        }
    }
    for (uint32_t at = 0; at < k; ++at) {
        for (uint32_t column = 0; column < n; ++column) {
            right[uint64_t(at) * n + column] = value(
                b, (uint64_t(at / C0) * columns + column / 16) * 16 * C0 + column % 16 * C0 + at % C0,
                column_known[column]);
        }
    }
    auto c_at = [rows, &to](uint32_t row, uint32_t column) {
        return to.at + ((uint64_t(column / 16) * rows * 16 + row) * 16 + column % 16) * sizeof(Sum);
    };
    for (uint32_t row = 0; row < m; ++row) {
        for (uint32_t column = 0; column < n; ++column) {
            c_known[uint64_t(row) * n + column] = row_known[row] != 0 && column_known[column] != 0 &&
                                                  (params.cmatrixInitVal || to.memory->known[c_at(row, column)] != 0);
        }
    }
    std::vector<uint8_t> const old(to.memory->bytes.begin() + to.at, to.memory->bytes.begin() + to.at + 1024 * fractals);
    to.memory->write(to.at, 1024ull * fractals, M, clock, "Mmad: C");
    std::memset(to.memory->known.data() + to.at, 0, 1024 * fractals);
    for (uint32_t row = 0; row < m; ++row) {
        std::fill(line.begin(), line.end(), 0.0);
        for (uint32_t at = 0; at < k; ++at) {
            const double factor = left[uint64_t(row) * k + at];
            double const* other = right.data() + uint64_t(at) * n;
            for (uint32_t column = 0; column < n; ++column) {
                line[column] += factor * other[column];
            }
        }
        for (uint32_t column = 0; column < n; ++column) {
            const uint64_t where = c_at(row, column);
            Sum sum{};
            if (!params.cmatrixInitVal) {
                std::memcpy(&sum, old.data() + (where - to.at), sizeof sum);
            }
            sum = static_cast<Sum>(static_cast<double>(sum) + line[column]);
            std::memcpy(to.memory->bytes.data() + where, &sum, sizeof sum);
            std::memset(to.memory->known.data() + where, c_known[uint64_t(row) * n + column], sizeof sum);
        }
    }
    for (uint64_t at = 0; params.unitFlag == 3 && at < fractals; ++at) {
        on.units[to.at / L0C_FRACTAL_BYTES + at] = Unit{true, clock, on.times[M]};
    }
}

// --- L0C to global memory --------------------------------------------------------------------------------------------

enum class CO2Layout { NZ, ROW_MAJOR, COLUMN_MAJOR };

struct FixpipeConfig {
    CO2Layout format;
};

constexpr FixpipeConfig CFG_NZ = {CO2Layout::NZ}, CFG_ROW_MAJOR = {CO2Layout::ROW_MAJOR};

// asc-devkit docs, "Fixpipe (L0C to GM)": srcStride in units of 16 elements, dstStride in elements.
struct FixpipeParamsV220 {
    uint16_t nSize = 0, mSize = 0, srcStride = 0;
    uint32_t dstStride = 0;
    QuantMode_t quantPre = NoQuant;
    uint64_t deqScalar = 0;
    uint16_t ndNum = 1, srcNdStride = 0, dstNdStride = 0;
    bool reluEn = false;
    uint8_t unitFlag = 0;
    bool isChannelSplit = false;
};

template <class Out, class Sum, FAKE_CONSTANT(FixpipeConfig) config = CFG_ROW_MAJOR>
void Fixpipe(GlobalTensor<Out> const& to, LocalTensor<Sum> const& from, FixpipeParamsV220 const& params)
{
    using namespace fake_ascendc;
    Machine& on = machine();
    limit(params.nSize, 1, 4095, "Fixpipe: nSize");
    limit(params.mSize, 1, 8192, "Fixpipe: mSize");
    limit(params.dstStride, params.nSize, ~0u, "Fixpipe: dstStride");
    limit(params.srcStride, (params.mSize + 15u) / 16 * 16, 65535, "Fixpipe: srcStride");
    aligned(from.at, 64, "Fixpipe: C in L0C");
    if (config.format != CO2Layout::ROW_MAJOR || params.ndNum != 1 || params.reluEn || params.isChannelSplit) {
        fail("Fixpipe: this form is not emulated");
    }
    const QuantMode_t needed = std::is_same_v<Out, half> ? F322F16 : std::is_same_v<Out, bfloat16_t> ? F322BF16 : NoQuant;
    if (params.quantPre != needed) {
        fail("Fixpipe: quantPre ", uint32_t(params.quantPre), " does not give the type of C");
    }
    const uint32_t rows = (params.mSize + 15u) / 16, columns = (params.nSize + 15u) / 16, height = params.srcStride / 16;
    Clock clock = on.issue(FIX, 40 + uint64_t(params.mSize) * params.nSize * sizeof(Sum) / 128);
    if (params.unitFlag != 0) {
        if (!on.n_first_set || !on.n_first) {
            fail("Fixpipe turns C to row-major by the unit flag, but the cube goes along m first (SetMMLayoutTransform)");
        }
        for (uint32_t column = 0; column < columns; ++column) {
            for (uint32_t row = 0; row < rows; ++row) {
                Unit& unit = on.units.at(from.at / L0C_FRACTAL_BYTES + uint64_t(column) * height + row);
                if (!unit.full) {
                    fail("Fixpipe waits for ever for the unit flag: the cube has not passed a tile of C");
                }
                merge(clock, unit.clock);
                on.times[FIX] = std::max(on.times[FIX], unit.time + 40);
            }
        }
        on.clocks[FIX] = clock;
    }
    for (uint32_t row = 0; row < params.mSize; ++row) {
        on.check_global(to.pointer + uint64_t(row) * params.dstStride, params.nSize * sizeof(Out), true, "Fixpipe");
        for (uint32_t column = 0; column < params.nSize; ++column) {
            const uint64_t at =
                from.at + ((uint64_t(column / 16) * params.srcStride + row) * 16 + column % 16) * sizeof(Sum);
            Sum sum;
            std::memcpy(&sum, from.memory->read(at, sizeof sum, FIX, clock, "Fixpipe"), sizeof sum);
            if (!from.memory->all_known(at, sizeof sum)) {
                fail("Fixpipe: stores an element of C that comes from memory nobody wrote");
            }
            const Out value = static_cast<Out>(sum);
            std::memcpy(to.pointer + uint64_t(row) * params.dstStride + column, &value, sizeof value);
        }
    }
    for (uint32_t column = 0; params.unitFlag == 3 && column < columns; ++column) {
        for (uint32_t row = 0; row < rows; ++row) {
            on.units[from.at / L0C_FRACTAL_BYTES + uint64_t(column) * height + row] = Unit{false, clock, on.times[FIX]};
        }
    }
}

} // namespace AscendC

inline AscendC::TPipe* GetTPipePtr() { return AscendC::TPipe::current(); }

constexpr int32_t g_coreType = AscendC::AIC;

#include "names.hpp"
