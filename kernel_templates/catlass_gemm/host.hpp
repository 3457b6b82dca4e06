// Host binding: the memories, pipes and flags of a cube core in plain C++, so that the kernel's loop can be run and
// checked where there is no NPU. It is slow and says nothing about speed. What it checks:
//   * capacity and alignment of every buffer in L1, L0A, L0B, L0C;
//   * no element is multiplied or stored that was not loaded for this tile (padding may be multiplied, never stored);
//   * every flag is set once and waited for once, in turns, and none is left set; no pipe waits for ever;
//   * every element of C is stored exactly once.
// The four pipes run as queues of their own. A schedule says which pipe goes first whenever several can go, so that an
// ordering that the flags do not enforce gives a wrong result under some schedule.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "gemm.hpp"

namespace ascend_tune {

enum class Pipe : uint32_t { MTE2, MTE1, M, FIX };
enum class Act : uint32_t { LOAD_A, LOAD_B, FEED_A, FEED_B, MULTIPLY, STORE, SET, WAIT };

// One operation in a pipe's queue. `args` are those of the primitive, in its order.
struct Operation {
    uint32_t core;
    Pipe pipe;
    Act act;
    uint32_t args[6];
};

struct FlagPipes {
    Pipe from, to;
};

constexpr FlagPipes pipes_of(Flag flag)
{
    switch (flag) {
        case Flag::A_FREE:
        case Flag::B_FREE: return {Pipe::MTE1, Pipe::MTE2};
        case Flag::A_READY:
        case Flag::B_READY: return {Pipe::MTE2, Pipe::MTE1};
        case Flag::L0_FREE: return {Pipe::M, Pipe::MTE1};
        case Flag::L0_READY: return {Pipe::MTE1, Pipe::M};
        case Flag::C_READY: return {Pipe::M, Pipe::FIX};
        default: return {Pipe::FIX, Pipe::M};
    }
}

inline float half_to_float(uint16_t bits)
{
    const int sign = bits >> 15, exponent = (bits >> 10) & 31, fraction = bits & 1023;
    float value = exponent == 31 ? (fraction ? std::numeric_limits<float>::quiet_NaN() : std::numeric_limits<float>::infinity())
                  : exponent     ? std::ldexp(1024.0f + fraction, exponent - 25)
                                 : std::ldexp(static_cast<float>(fraction), -24);
    return sign ? -value : value;
}

// Round to nearest, ties to even, keeping `fraction_bits` of the fraction of a float32.
inline float round_fraction(float value, int fraction_bits)
{
    uint32_t bits;
    std::memcpy(&bits, &value, 4);
    if ((bits & 0x7f800000u) == 0x7f800000u) {
        return value;
    }
    const uint32_t shift = 23 - fraction_bits, low = (1u << shift) - 1;
    const uint32_t half = 1u << (shift - 1), rest = bits & low;
    bits &= ~low;
    if (rest > half || (rest == half && (bits >> shift & 1u))) {
        bits += 1u << shift;
    }
    std::memcpy(&value, &bits, 4);
    return value;
}

inline uint16_t float_to_half(float value)
{
    const uint16_t sign = std::signbit(value) ? 0x8000u : 0;
    const float size = std::fabs(value);
    if (std::isnan(value)) {
        return 0x7e00u;
    }
    if (size < std::ldexp(1.0f, -14)) {
        return sign | static_cast<uint16_t>(std::nearbyint(std::ldexp(size, 24)));
    }
    const float rounded = round_fraction(size, 10);
    if (rounded > 65504.0f) {
        return sign | 0x7c00u;
    }
    int exponent;
    const float fraction = std::frexp(rounded, &exponent);
    return sign | static_cast<uint16_t>((exponent + 14) << 10) | static_cast<uint16_t>(std::ldexp(fraction, 11) - 1024.0f);
}

inline float bfloat_to_float(uint16_t bits)
{
    const uint32_t wide = static_cast<uint32_t>(bits) << 16;
    float value;
    std::memcpy(&value, &wide, 4);
    return value;
}

inline uint16_t float_to_bfloat(float value)
{
    uint32_t bits;
    value = round_fraction(value, 7);
    std::memcpy(&bits, &value, 4);
    return static_cast<uint16_t>(bits >> 16);
}

// Operands in memory as the caller has them.
struct Operands {
    void const* a;
    void const* b;
    void* c;
};

// A buffer on the chip: values with a mark "written for this use".
class Buffer {
public:
    Buffer(char const* name, uint32_t bytes, uint32_t element_bytes, uint32_t alignment)
        : name_(name), capacity(bytes / element_bytes), bytes_each(element_bytes), aligned(alignment), values(capacity), marks(capacity)
    {}

    // Checks a region before it is used. Returns what is wrong, "" when nothing is.
    std::string refuse(uint64_t start, uint64_t count) const
    {
        char text[160] = "";
        if (start + count > capacity) {
            std::snprintf(
                text, sizeof text, "%s: elements %llu to %llu of %u bytes exceed its %u bytes", name_,
                static_cast<unsigned long long>(start), static_cast<unsigned long long>(start + count), bytes_each, capacity * bytes_each);
        } else if (start * bytes_each % aligned != 0) {
            std::snprintf(text, sizeof text, "%s: byte %llu is not aligned to %u", name_, static_cast<unsigned long long>(start * bytes_each), aligned);
        }
        return text;
    }

    void forget(uint64_t start, uint64_t count)
    {
        for (uint64_t at = start; at < start + count; ++at) {
            values[at] = std::numeric_limits<double>::quiet_NaN();
            marks[at] = 0;
        }
    }

    void write(uint64_t at, double value, bool known = true)
    {
        values[at] = value;
        marks[at] = known;
    }

    double value(uint64_t at) const { return values[at]; }
    bool known(uint64_t at) const { return marks[at] != 0; }

private:
    char const* name_;
    uint32_t capacity, bytes_each, aligned;
    std::vector<double> values;
    std::vector<uint8_t> marks;
};

// Everything of a configuration that the machine needs at run time.
struct Setting {
    Dtype dtype;
    Layout layout;
    uint32_t tile_m, tile_n, l1_k, l0_k;
    bool unit_flag;
};

// A chip of NPU arch 2201, core by core. Sizes: hicann/catlass:include/catlass/arch/arch.hpp, AtlasA2.
class Machine {
public:
    static constexpr uint32_t L1_BYTES = 512 * 1024, L0A_BYTES = 64 * 1024, L0B_BYTES = 64 * 1024, L0C_BYTES = 128 * 1024;

    Machine(Setting const& setting_, Shape const& shape_, Operands const& operands_, uint32_t cores_)
        : setting(setting_),
          shape(shape_),
          operands(operands_),
          cores(cores_),
          bytes(element_bytes(setting_.dtype)),
          l1("L1", L1_BYTES, bytes, 32),
          l0a("L0A", L0A_BYTES, bytes, 512),
          l0b("L0B", L0B_BYTES, bytes, 512),
          l0c("L0C", L0C_BYTES, 4, 64),
          stored(static_cast<uint64_t>(shape_.m) * shape_.n, 0)
    {}

    void issue(Operation const& operation) { program.push_back(operation); }

    // Runs what one core issued. `schedule` 0 is the order of issue; any other number seeds the choice of pipes.
    void execute(uint32_t schedule);

    // Call once after the last core: is C complete?
    void finish()
    {
        for (uint64_t at = 0; at < stored.size() && message.empty(); ++at) {
            if (stored[at] != 1) {
                fail("C[" + std::to_string(at / shape.n) + ", " + std::to_string(at % shape.n) + "] was stored " + std::to_string(stored[at]) + " times");
            }
        }
    }

    std::string message; // the first fault, "" when there is none
    std::vector<Operation> trace;
    uint64_t busiest_cycles = 0; // of the busiest pipe of the busiest core, by a crude count; never a prediction

private:
    static constexpr uint32_t FLAGS = 8, IDS = 8;

    bool ready(Operation const& operation) const
    {
        if (operation.act == Act::WAIT) {
            return flags[operation.args[0]][operation.args[1]];
        }
        if (operation.act == Act::MULTIPLY && operation.args[5] != 0) {
            return !c_passed;
        }
        if (operation.act == Act::STORE && operation.args[4] != 0) {
            return c_passed;
        }
        return true;
    }

    void perform(Operation const& operation);
    void load(bool is_a, uint32_t slot, uint32_t first, uint32_t count, uint32_t k, uint32_t length);
    void feed(bool is_a, uint32_t stage, uint32_t slot, uint32_t k, uint32_t count, uint32_t length);
    void multiply(uint32_t stage, uint32_t height, uint32_t width, uint32_t length, bool first, uint32_t unit);
    void store(uint32_t row, uint32_t column, uint32_t height, uint32_t width, uint32_t unit);
    double element(bool is_a, uint64_t index, uint64_t k) const;
    void put(uint64_t index, double value);

    // L1: two slots of A, then two of B. Inside a slot a block of 32 bytes along k is contiguous for one row.
    uint64_t l1_start(bool is_a, uint32_t slot) const
    {
        const uint64_t a = static_cast<uint64_t>(setting.tile_m) * setting.l1_k, b = static_cast<uint64_t>(setting.tile_n) * setting.l1_k;
        return is_a ? slot * a : 2 * a + slot * b;
    }

    uint64_t l1_at(bool is_a, uint32_t slot, uint32_t index, uint32_t k) const
    {
        const uint32_t block = 32 / bytes, tile = is_a ? setting.tile_m : setting.tile_n;
        return l1_start(is_a, slot) + (static_cast<uint64_t>(k / block) * tile + index) * block + k % block;
    }

    static uint32_t up(uint32_t value, uint32_t unit) { return (value + unit - 1) / unit * unit; }

    // Rows and columns go through the cube in fractals: 16 wide, 32 where int8 is stored across them.
    uint32_t fractal(bool is_a) const
    {
        const bool across = is_a ? a_transposed(setting.layout) : !b_transposed(setting.layout);
        return bytes == 1 && across ? 32 : 16;
    }

    void fail(std::string const& what)
    {
        if (message.empty()) {
            message = what;
        }
    }

    void check(std::string const& refusal, char const* during)
    {
        if (!refusal.empty()) {
            fail(std::string(during) + ": " + refusal);
        }
    }

    const Setting setting;
    const Shape shape;
    const Operands operands;
    const uint32_t cores, bytes;
    Buffer l1, l0a, l0b, l0c;
    std::vector<uint8_t> stored;
    std::vector<Operation> program;
    bool flags[FLAGS][IDS] = {};
    bool c_passed = false; // the unit flag: L0C belongs to FixPipe
    uint64_t cycles[4] = {};
};

inline void Machine::execute(uint32_t schedule)
{
    std::vector<Operation> queues[4];
    size_t heads[4] = {0, 0, 0, 0};
    std::memset(cycles, 0, sizeof cycles);
    std::vector<size_t> order[4];
    for (size_t at = 0; at < program.size(); ++at) {
        const uint32_t pipe = static_cast<uint32_t>(program[at].pipe);
        queues[pipe].push_back(program[at]);
        order[pipe].push_back(at);
    }
    uint64_t state = schedule * 0x9e3779b97f4a7c15ull + 1;
    while (message.empty()) {
        uint32_t able[4], count = 0, waiting = 0;
        for (uint32_t pipe = 0; pipe < 4; ++pipe) {
            if (heads[pipe] < queues[pipe].size()) {
                ++waiting;
                if (ready(queues[pipe][heads[pipe]])) {
                    able[count++] = pipe;
                }
            }
        }
        if (waiting == 0) {
            break;
        }
        if (count == 0) {
            fail("the core hangs: every pipe that has work left waits for a flag");
            break;
        }
        uint32_t next = able[0];
        if (schedule == 0) {
            for (uint32_t at = 1; at < count; ++at) {
                next = order[able[at]][heads[able[at]]] < order[next][heads[next]] ? able[at] : next;
            }
        } else if (schedule <= 2) { // 1: loads run ahead as far as they can; 2: the far end does
            next = able[schedule == 1 ? 0 : count - 1];
        } else {
            state = state * 6364136223846793005ull + 1442695040888963407ull;
            next = able[(state >> 33) % count];
        }
        perform(queues[next][heads[next]++]);
    }
    for (uint32_t flag = 0; flag < FLAGS; ++flag) {
        for (uint32_t id = 0; id < IDS; ++id) {
            if (flags[flag][id]) {
                fail("flag " + std::to_string(flag) + " (" + std::to_string(id) + ") is left set");
            }
        }
    }
    if (c_passed) {
        fail("the unit flag is left with FixPipe");
    }
    for (const uint64_t spent : cycles) {
        busiest_cycles = spent > busiest_cycles ? spent : busiest_cycles;
    }
    trace.insert(trace.end(), program.begin(), program.end());
    program.clear();
}

inline void Machine::perform(Operation const& operation)
{
    const uint32_t* args = operation.args;
    uint64_t& spent = cycles[static_cast<uint32_t>(operation.pipe)];
    switch (operation.act) {
        case Act::LOAD_A:
        case Act::LOAD_B:
            load(operation.act == Act::LOAD_A, args[0], args[1], args[2], args[3], args[4]);
            spent += 200 + static_cast<uint64_t>(args[2]) * args[4] * bytes / 64;
            break;
        case Act::FEED_A:
        case Act::FEED_B:
            feed(operation.act == Act::FEED_A, args[0], args[1], args[2], args[3], args[4]);
            spent += 50 + static_cast<uint64_t>(args[3]) * args[4] * bytes / 128;
            break;
        case Act::MULTIPLY:
            multiply(args[0], args[1], args[2], args[3], args[4] != 0, args[5]);
            spent += 20 + static_cast<uint64_t>(args[1]) * args[2] * args[3] * bytes / 8192;
            break;
        case Act::STORE:
            store(args[0], args[1], args[2], args[3], args[4]);
            spent += 100 + static_cast<uint64_t>(args[2]) * args[3] / 32;
            break;
        case Act::SET:
            if (flags[args[0]][args[1]]) {
                fail("flag " + std::to_string(args[0]) + " (" + std::to_string(args[1]) + ") is set twice without a wait between");
            }
            flags[args[0]][args[1]] = true;
            break;
        case Act::WAIT: flags[args[0]][args[1]] = false; break;
    }
}

inline double Machine::element(bool is_a, uint64_t index, uint64_t k) const
{
    const bool transposed = is_a ? a_transposed(setting.layout) : b_transposed(setting.layout);
    const uint64_t at = is_a ? (transposed ? k * shape.m + index : index * shape.k + k) : (transposed ? index * shape.k + k : k * shape.n + index);
    void const* base = is_a ? operands.a : operands.b;
    switch (setting.dtype) {
        case Dtype::FLOAT16: return half_to_float(static_cast<uint16_t const*>(base)[at]);
        case Dtype::BFLOAT16: return bfloat_to_float(static_cast<uint16_t const*>(base)[at]);
        case Dtype::FLOAT32: return static_cast<float const*>(base)[at];
        case Dtype::HFLOAT32: return round_fraction(static_cast<float const*>(base)[at], 11);
        default: return static_cast<int8_t const*>(base)[at];
    }
}

inline void Machine::put(uint64_t at, double value)
{
    switch (setting.dtype) {
        case Dtype::FLOAT16: static_cast<uint16_t*>(operands.c)[at] = float_to_half(static_cast<float>(value)); break;
        case Dtype::BFLOAT16: static_cast<uint16_t*>(operands.c)[at] = float_to_bfloat(static_cast<float>(value)); break;
        case Dtype::INT8: static_cast<int32_t*>(operands.c)[at] = static_cast<int32_t>(static_cast<int64_t>(value)); break;
        default: static_cast<float*>(operands.c)[at] = static_cast<float>(value);
    }
}

inline void Machine::load(bool is_a, uint32_t slot, uint32_t first, uint32_t count, uint32_t k, uint32_t length)
{
    const uint32_t tile = is_a ? setting.tile_m : setting.tile_n;
    const uint64_t size = static_cast<uint64_t>(tile) * setting.l1_k;
    check(l1.refuse(l1_start(is_a, slot), size), "load");
    if (count > tile || length > setting.l1_k || first + count > (is_a ? shape.m : shape.n) || k + length > shape.k) {
        fail("load: the area lies outside of the tile or of the operand");
    }
    if (!message.empty()) {
        return;
    }
    l1.forget(l1_start(is_a, slot), size);
    for (uint32_t index = 0; index < count; ++index) {
        for (uint32_t at = 0; at < length; ++at) {
            l1.write(l1_at(is_a, slot, index, at), element(is_a, first + index, k + at));
        }
    }
}

inline void Machine::feed(bool is_a, uint32_t stage, uint32_t slot, uint32_t k, uint32_t count, uint32_t length)
{
    Buffer& target = is_a ? l0a : l0b;
    const uint32_t tile = is_a ? setting.tile_m : setting.tile_n;
    const uint32_t whole = up(count, fractal(is_a)), deep = up(length, 32 / bytes);
    const uint64_t start = stage * static_cast<uint64_t>(is_a ? L0A_BYTES : L0B_BYTES) / 2 / bytes;
    check(target.refuse(start, static_cast<uint64_t>(whole) * deep), "feed");
    check(l1.refuse(l1_at(is_a, slot, 0, k), 1), "feed");
    if (static_cast<uint64_t>(whole) * deep * bytes > (is_a ? L0A_BYTES : L0B_BYTES) / 2 || whole > tile || k + length > setting.l1_k) {
        fail("feed: the area exceeds its stage or its slot");
    }
    if (!message.empty()) {
        return;
    }
    for (uint32_t index = 0; index < whole; ++index) {
        for (uint32_t at = 0; at < length; ++at) {
            const uint64_t from = l1_at(is_a, slot, index, k + at);
            if (index < count && !l1.known(from)) {
                fail("feed: reads L1 where nothing was loaded");
                return;
            }
            target.write(start + static_cast<uint64_t>(at) * whole + index, l1.value(from), l1.known(from));
        }
    }
}

inline void Machine::multiply(uint32_t stage, uint32_t height, uint32_t width, uint32_t length, bool first, uint32_t unit)
{
    const uint32_t rows = up(height, fractal(true)), columns = up(width, fractal(false));
    const uint64_t a = stage * static_cast<uint64_t>(L0A_BYTES) / 2 / bytes, b = stage * static_cast<uint64_t>(L0B_BYTES) / 2 / bytes;
    check(l0c.refuse(0, static_cast<uint64_t>(rows) * columns), "multiply");
    if (rows > setting.tile_m || columns > setting.tile_n) {
        fail("multiply: the area exceeds the tile");
    }
    if (!message.empty()) {
        return;
    }
    std::vector<double> line(columns);
    for (uint32_t row = 0; row < rows; ++row) {
        bool row_known = true;
        std::fill(line.begin(), line.end(), 0.0);
        for (uint32_t k = 0; k < length; ++k) {
            const uint64_t at = a + static_cast<uint64_t>(k) * rows + row;
            const double left = l0a.value(at);
            row_known = row_known && l0a.known(at);
            for (uint32_t column = 0; column < columns; ++column) {
                line[column] += left * l0b.value(b + static_cast<uint64_t>(k) * columns + column);
            }
        }
        for (uint32_t column = 0; column < columns; ++column) {
            const uint64_t at = static_cast<uint64_t>(row) * columns + column;
            const bool known = row_known && l0b.known(b + column) && (first || l0c.known(at));
            double sum = line[column] + (first ? 0.0 : l0c.value(at));
            if (setting.dtype != Dtype::INT8) {
                sum = static_cast<float>(sum); // the cube accumulates in float32
            }
            l0c.write(at, sum, known);
        }
    }
    c_passed = unit == static_cast<uint32_t>(Unit::PASS);
}

inline void Machine::store(uint32_t row, uint32_t column, uint32_t height, uint32_t width, uint32_t unit)
{
    const uint32_t columns = up(width, fractal(false));
    for (uint32_t y = 0; y < height; ++y) {
        for (uint32_t x = 0; x < width; ++x) {
            const uint64_t from = static_cast<uint64_t>(y) * columns + x;
            const uint64_t to = static_cast<uint64_t>(row + y) * shape.n + column + x;
            if (row + y >= shape.m || column + x >= shape.n) {
                fail("store: outside of C");
                return;
            }
            if (!l0c.known(from)) {
                fail("store: an element of L0C that comes from memory nobody wrote");
                return;
            }
            put(to, l0c.value(from));
            ++stored[to];
        }
    }
    if (unit != 0) {
        c_passed = false;
    }
}

// What gemm.hpp calls on one core.
class HostCube {
public:
    HostCube(Machine& machine_, uint32_t core, uint32_t cores) : machine(machine_), core_(core), cores_(cores) {}

    uint32_t core() const { return core_; }
    uint32_t cores() const { return cores_; }
    void open() {}
    void close() {}

    template <Flag flag>
    void set(uint32_t id)
    {
        issue(pipes_of(flag).from, Act::SET, static_cast<uint32_t>(flag), id);
    }

    template <Flag flag>
    void wait(uint32_t id)
    {
        issue(pipes_of(flag).to, Act::WAIT, static_cast<uint32_t>(flag), id);
    }

    void load_a(uint32_t slot, uint32_t row, uint32_t height, uint32_t k, uint32_t length) { issue(Pipe::MTE2, Act::LOAD_A, slot, row, height, k, length); }
    void load_b(uint32_t slot, uint32_t column, uint32_t width, uint32_t k, uint32_t length) { issue(Pipe::MTE2, Act::LOAD_B, slot, column, width, k, length); }
    void feed_a(uint32_t stage, uint32_t slot, uint32_t k, uint32_t height, uint32_t length) { issue(Pipe::MTE1, Act::FEED_A, stage, slot, k, height, length); }
    void feed_b(uint32_t stage, uint32_t slot, uint32_t k, uint32_t width, uint32_t length) { issue(Pipe::MTE1, Act::FEED_B, stage, slot, k, width, length); }

    void multiply(uint32_t stage, uint32_t height, uint32_t width, uint32_t length, bool first, Unit unit)
    {
        issue(Pipe::M, Act::MULTIPLY, stage, height, width, length, first, static_cast<uint32_t>(unit));
    }

    void store(uint32_t row, uint32_t column, uint32_t height, uint32_t width, Unit unit)
    {
        issue(Pipe::FIX, Act::STORE, row, column, height, width, static_cast<uint32_t>(unit));
    }

private:
    void issue(Pipe pipe, Act act, uint32_t a = 0, uint32_t b = 0, uint32_t c = 0, uint32_t d = 0, uint32_t e = 0, uint32_t f = 0)
    {
        machine.issue(Operation{core_, pipe, act, {a, b, c, d, e, f}});
    }

    Machine& machine;
    const uint32_t core_, cores_;
};

// Runs one configuration on `cores` emulated cores, one after another. `Loop` is another Gemm, for tests of this file.
template <class Tiling, Dtype dtype, Layout layout, template <class, class> class Loop = Gemm>
Machine emulate(Shape const& shape, Operands const& operands, uint32_t cores, uint32_t schedule)
{
    static_assert(Fits<Tiling, element_bytes(dtype), Machine::L1_BYTES, Machine::L0A_BYTES, Machine::L0B_BYTES, Machine::L0C_BYTES>::value);
    const Setting setting{dtype, layout, Tiling::tile_m, Tiling::tile_n, Tiling::l1_k, Tiling::l0_k, Tiling::unit_flag};
    Machine machine(setting, shape, operands, cores);
    for (uint32_t core = 0; core < cores; ++core) {
        HostCube cube(machine, core, cores);
        Loop<Tiling, HostCube> loop(cube, shape);
        loop.run();
        machine.execute(schedule);
    }
    machine.finish();
    return machine;
}

} // namespace ascend_tune
