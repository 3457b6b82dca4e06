// Stands in for the runtime's part of `kernel<<<blocks, nullptr, stream>>>(...)`: runs the kernel on emulated cores at once.
//
// A source is rewritten so that a launch becomes fake_ascendc::launch("kernel", kernel, blocks, nullptr, stream, arguments...):
// a wrong number or kind of arguments does not compile. Like on the device, a fault shows at the next wait for the stream.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "machine.hpp"

extern "C" {
void fake_device_work(double us);
void fake_device_kernel(char const* name, double us);
void fake_device_fault(int code, char const* text);
}

#ifndef FAKE_IN_BYTES // of an element of A and B, of C
#define FAKE_IN_BYTES 0
#define FAKE_OUT_BYTES 0
#endif

#define FAKE_TEXT(name) #name
#define FAKE_NAME(name) FAKE_TEXT(name)

namespace fake_ascendc {

constexpr double MHZ = 1800, LAUNCH_US = 5, SHORTEST_US = 0.5;
constexpr uint32_t MOST_CORES = 64;

// Runs `kernel(arguments...)` on each of `cores`; returns the cycles of the busiest. Throws Fault.
template <class Kernel, class... Arguments>
uint64_t run_cores(uint32_t cores, std::vector<Range>& ranges, Kernel* kernel, Arguments... arguments)
{
    if (cores == 0 || cores > MOST_CORES) {
        fail("launched on ", cores, " cores");
    }
    uint64_t busiest = 0;
    for (uint32_t core = 0; core < cores; ++core) {
        auto const machine = std::make_unique<Machine>();
        machine->ranges = &ranges;
        machine->core = core;
        machine->cores = cores;
        Machine::current() = machine.get();
        kernel(arguments...);
        machine->finish();
        busiest = std::max(busiest, machine->cycles());
    }
    for (Range const& range : ranges) {
        for (uint64_t byte = 0; range.writable && byte < range.bytes; ++byte) {
            if (range.stored[byte] != 1) {
                fail("byte ", byte, " of ", range.name, " was stored ", uint32_t(range.stored[byte]), " times");
            }
        }
    }
    return busiest;
}

// The operands of a GEMM kernel, whatever its layout.
inline std::vector<Range> ranges_of(uint8_t* a, uint8_t* b, uint8_t* c, uint32_t m, uint32_t n, uint32_t k)
{
    const uint64_t c_bytes = uint64_t(m) * n * FAKE_OUT_BYTES;
    std::vector<Range> ranges;
    ranges.push_back(Range{"A", a, uint64_t(m) * k * FAKE_IN_BYTES, false, {}});
    ranges.push_back(Range{"B", b, uint64_t(k) * n * FAKE_IN_BYTES, false, {}});
    ranges.push_back(Range{"C", c, c_bytes, true, std::vector<uint8_t>(c_bytes)});
    return ranges;
}

inline std::vector<Range> ranges_of(uint8_t*)
{
    return {};
}

// A buffer that is read in pieces of 64 KiB.
inline std::vector<Range> ranges_of(uint8_t* buffer, uint32_t pieces)
{
    std::vector<Range> ranges;
    ranges.push_back(Range{"the buffer", buffer, uint64_t(pieces) << 16, false, {}});
    return ranges;
}

// Emulation is slow: a launch whose result is already in C only takes its time.
struct Last {
    std::vector<uint8_t> arguments, result;
    double us = 0;
};

template <class Kernel, class... Arguments>
void launch(char const* name, Kernel* kernel, uint32_t blocks, void* l2_control, void* stream, Arguments... arguments)
{
    static Last last;
    if (stream == nullptr || l2_control != nullptr) {
        fake_device_fault(107003, "the launch names no stream");
        return;
    }
    std::vector<Range> ranges = ranges_of(arguments...);
    std::vector<uint8_t> now((sizeof(arguments) + ... + 0));
    uint8_t* at = now.data();
    ((std::memcpy(at, &arguments, sizeof arguments), at += sizeof arguments), ...);
    Range const* c = ranges.empty() || !ranges.back().writable ? nullptr : &ranges.back();
    const bool known = last.us > 0 && now == last.arguments &&
                       (c == nullptr || (last.result.size() == c->bytes && std::memcmp(last.result.data(), c->start, c->bytes) == 0));
    if (!known) {
        try {
            last.us = LAUNCH_US + SHORTEST_US + static_cast<double>(run_cores(blocks, ranges, kernel, arguments...)) / MHZ;
        } catch (Fault const& fault) {
            last.us = 0;
            fake_device_fault(507015, fault.what());
            return;
        }
        last.arguments = now;
        last.result.assign(c != nullptr ? c->start : nullptr, c != nullptr ? c->start + c->bytes : nullptr);
    }
    fake_device_work(LAUNCH_US);
    fake_device_kernel(name, last.us - LAUNCH_US);
}

} // namespace fake_ascendc
