// A cube core of NPU arch 2201 for tests: memories of the chip's sizes, pipes, event flags, unit flags, mode register.
//
// Instructions run one after another in program order; what could go wrong on pipes that run at once is found by vector
// clocks: an access is a fault unless the other pipe's access to the same block is known to be over, by a flag, a barrier
// or the unit flag. Every access is checked against the memory's end, every value against "nobody wrote this".
//
// Facts and where they are published (asc-devkit: docs/zh/api, CANN community documentation):
//   sizes of the memories, alignments          asc-devkit, "NPU architecture version 2201"
//   event flags: 8 of each pair of pipes       asc-devkit, SetFlag/WaitFlag (ISASI)
//   unit flag: one of each 512 bytes of L0C    asc-devkit, "UnitFlag"
//   mmad behind mmad on a small tile           hicann/catlass:include/catlass/gemm/tile/tile_mmad.hpp (barrier below 10)
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace fake_ascendc {

enum Pipe : uint32_t { S, V, M, MTE1, MTE2, MTE3, FIX, PIPES };

inline char const* name_of(uint32_t pipe)
{
    static char const* const names[PIPES] = {"S", "V", "M", "MTE1", "MTE2", "MTE3", "FIX"};
    return pipe < PIPES ? names[pipe] : "?";
}

using Clock = std::array<uint32_t, PIPES>;

inline void merge(Clock& into, Clock const& other)
{
    for (uint32_t pipe = 0; pipe < PIPES; ++pipe) {
        into[pipe] = std::max(into[pipe], other[pipe]);
    }
}

// What a real device would answer with a fault, a hang or a wrong result.
struct Fault : std::runtime_error {
    using std::runtime_error::runtime_error;
};

template <class... Parts>
[[noreturn]] void fail(Parts const&... parts)
{
    std::string text;
    auto add = [&text](auto const& part) {
        if constexpr (std::is_arithmetic_v<std::decay_t<decltype(part)>>) {
            text += std::to_string(part);
        } else {
            text += part;
        }
    };
    (add(parts), ...);
    throw Fault(text);
}

constexpr uint32_t BLOCK = 32; // bytes; hazards are kept for each

// One of the core's memories.
struct Memory {
    Memory(char const* name_, uint32_t size) : name(name_), bytes(size), known(size), blocks(size / BLOCK) {}

    struct Block {
        uint32_t writer = PIPES;
        uint32_t written = 0;
        Clock read{};
    };

    char const* name;
    std::vector<uint8_t> bytes, known;
    std::vector<Block> blocks;

    uint32_t size() const { return static_cast<uint32_t>(bytes.size()); }

    void check(uint64_t from, uint64_t length, char const* what) const
    {
        if (from + length > size()) {
            fail(what, ": bytes ", from, " to ", from + length, " of ", name, ", which has ", size());
        }
    }

    // The bytes [from, from + length) are read by `pipe`, whose knowledge of the others is `clock`.
    uint8_t const* read(uint64_t from, uint64_t length, uint32_t pipe, Clock const& clock, char const* what)
    {
        check(from, length, what);
        for (uint64_t at = from / BLOCK; at <= (from + length - 1) / BLOCK; ++at) {
            Block& block = blocks[at];
            if (block.writer < PIPES && block.written > clock[block.writer]) {
                fail(what, ": ", name, " at byte ", at * BLOCK, " is read by ", name_of(pipe), " before ",
                     name_of(block.writer), " is known to have written it");
            }
            block.read[pipe] = clock[pipe];
        }
        return bytes.data() + from;
    }

    uint8_t* write(uint64_t from, uint64_t length, uint32_t pipe, Clock const& clock, char const* what)
    {
        check(from, length, what);
        for (uint64_t at = from / BLOCK; at <= (from + length - 1) / BLOCK; ++at) {
            Block& block = blocks[at];
            if (block.writer < PIPES && block.written > clock[block.writer]) {
                fail(what, ": ", name, " at byte ", at * BLOCK, " is written by ", name_of(pipe), " before ",
                     name_of(block.writer), " is known to have written it");
            }
            for (uint32_t other = 0; other < PIPES; ++other) {
                if (block.read[other] > clock[other]) {
                    fail(what, ": ", name, " at byte ", at * BLOCK, " is overwritten by ", name_of(pipe), " before ",
                         name_of(other), " is known to have read it");
                }
            }
            block.writer = pipe;
            block.written = clock[pipe];
        }
        std::memset(known.data() + from, 1, length);
        return bytes.data() + from;
    }

    bool all_known(uint64_t from, uint64_t length) const
    {
        return std::all_of(known.begin() + from, known.begin() + from + length, [](uint8_t byte) { return byte != 0; });
    }
};

// A matrix in global memory that the kernel was given.
struct Range {
    char const* name;
    uint8_t* start;
    uint64_t bytes;
    bool writable;
    std::vector<uint8_t> stored; // how often each byte was written
};

struct Flag {
    bool set = false;
    Clock clock{};
    uint64_t time = 0;
};

struct Unit { // of one fractal of L0C: 2 x 512 bytes
    bool full = false; // the cube has passed it to FixPipe
    Clock clock{};
    uint64_t time = 0;
};

constexpr uint32_t FRACTAL_BYTES = 512, L0C_FRACTAL_BYTES = 1024, EVENTS = 8;

struct Machine {
    // The memories of NPU arch 2201; every 910B and 910_93 has these.
    Memory l1{"L1", 512 << 10}, l0a{"L0A", 64 << 10}, l0b{"L0B", 64 << 10}, l0c{"L0C", 128 << 10}, ub{"UB", 192 << 10},
        bt{"BT", 1 << 10}, fb{"FB", 7 << 10};
    std::array<Clock, PIPES> clocks{};
    std::array<uint64_t, PIPES> times{}; // cycles until each pipe is done, crude: they only differ as they should
    std::map<std::tuple<uint32_t, uint32_t, uint32_t>, Flag> flags;
    std::vector<Unit> units{std::vector<Unit>((128 << 10) / L0C_FRACTAL_BYTES)};
    std::vector<Range>* ranges = nullptr;
    uint32_t core = 0, cores = 1;
    // The mode register outlives a kernel: the one before this may have left anything.
    bool hf32 = true, hf32_set = false, n_first = true, n_first_set = false;
    uint32_t fmatrix[2] = {0, 0};  // rows of the feature map, by SetFmatrix, for A and for B
    uint64_t small_tile = ~0ull;   // where a multiplication into a small tile is not yet followed by a barrier
    uint64_t instructions = 0;

    static Machine*& current()
    {
        static Machine* machine = nullptr;
        return machine;
    }

    // An instruction enters `pipe`; what the scalar unit knew is known to it.
    Clock const& issue(uint32_t pipe, uint64_t cycles)
    {
        ++instructions;
        merge(clocks[pipe], clocks[S]);
        ++clocks[pipe][pipe];
        times[pipe] = std::max(times[pipe], times[S]) + cycles;
        times[S] += 1;
        return clocks[pipe];
    }

    void set_flag(uint32_t from, uint32_t to, int32_t id)
    {
        Flag& flag = event(from, to, id);
        if (flag.set) {
            fail("the flag ", name_of(from), "_", name_of(to), " ", id, " is set twice before it is waited for");
        }
        issue(from, 1);
        flag = Flag{true, clocks[from], times[from]};
    }

    void wait_flag(uint32_t from, uint32_t to, int32_t id)
    {
        Flag& flag = event(from, to, id);
        if (!flag.set) {
            fail(name_of(to), " waits for ever: nothing before sets the flag ", name_of(from), "_", name_of(to), " ", id);
        }
        issue(to, 1);
        merge(clocks[to], flag.clock);
        times[to] = std::max(times[to], flag.time);
        flag.set = false;
    }

    void barrier(uint32_t pipe) // PIPES: all of them
    {
        if (pipe == M || pipe == PIPES) {
            small_tile = ~0ull;
        }
        if (pipe < PIPES) {
            times[pipe] += 20;
            return;
        }
        Clock all{};
        uint64_t last = 0;
        for (uint32_t one = 0; one < PIPES; ++one) {
            merge(all, clocks[one]);
            last = std::max(last, times[one]);
        }
        clocks.fill(all);
        times.fill(last + 20);
    }

    // Bytes of global memory that belong to a matrix of the problem.
    void check_global(void const* pointer, uint64_t length, bool write, char const* what)
    {
        auto const at = static_cast<uint8_t const*>(pointer);
        for (Range& range : *ranges) {
            if (at >= range.start && at + length <= range.start + range.bytes) {
                if (write && !range.writable) {
                    fail(what, ": writes into ", range.name);
                }
                for (uint64_t byte = 0; write && byte < length; ++byte) {
                    ++range.stored[at - range.start + byte];
                }
                return;
            }
        }
        fail(what, ": ", length, " bytes of global memory that are no part of any operand");
    }

    // What must hold when the kernel ends: the next one starts with what this one left.
    void finish()
    {
        for (auto const& [key, flag] : flags) {
            if (flag.set) {
                auto const [from, to, id] = key;
                fail("the flag ", name_of(from), "_", name_of(to), " ", id, " is still set when the kernel ends");
            }
        }
        for (uint64_t at = 0; at < units.size(); ++at) {
            if (units[at].full) {
                fail("the unit flag of fractal ", at, " of L0C is still set when the kernel ends");
            }
        }
        if (n_first_set && n_first) {
            fail("the cube's direction (SetMMLayoutTransform) is still that of the unit flag when the kernel ends");
        }
        if (hf32_set && hf32) {
            fail("HF32 mode is still on when the kernel ends");
        }
    }

    uint64_t cycles() const { return *std::max_element(times.begin(), times.end()); }

private:
    Flag& event(uint32_t from, uint32_t to, int32_t id)
    {
        if (id < 0 || static_cast<uint32_t>(id) >= EVENTS) {
            fail("event ", id, " of ", name_of(from), "_", name_of(to), " does not exist: there are ", EVENTS);
        }
        return flags[{from, to, static_cast<uint32_t>(id)}];
    }
};

inline Machine& machine()
{
    return *Machine::current();
}

} // namespace fake_ascendc
