// Compiled by the fake compiler into every kernel: the launch of ABI 1, on the emulated cores, at once.
#include <cstdint>
#include <cstring>

#include "timing.hpp"

extern "C" {
int ascend_tune_host_run(uint32_t cores, void const* a, void const* b, void* c, uint32_t m, uint32_t n, uint32_t k, uint32_t schedule);
uint64_t ascend_tune_host_cycles();
void fake_device_work(double us);
}

namespace {
// Emulation is slow: a launch whose result is already in C only takes its time.
struct Last {
    void const* pointers[3] = {};
    uint32_t shape[3] = {};
    uint64_t hash = 0;
    double us = 0;
} last;

uint64_t hash_of(void const* memory, uint64_t bytes)
{
    uint64_t hash = 14695981039346656037ull;
    for (uint64_t at = 0; at < bytes; ++at) {
        hash = (hash ^ static_cast<uint8_t const*>(memory)[at]) * 1099511628211ull;
    }
    return hash;
}
} // namespace

extern "C" int ascend_tune_launch(uint32_t blocks, void* stream, void* a, void* b, void* c, uint32_t m, uint32_t n, uint32_t k)
{
    if (stream == nullptr) {
        return 107003;
    }
    const void* pointers[3] = {a, b, c};
    const uint32_t shape[3] = {m, n, k};
    const uint64_t bytes = 2ull * m * n; // at least this many in every dtype
    const bool known = last.us > 0 && !std::memcmp(pointers, last.pointers, sizeof pointers) &&
                       !std::memcmp(shape, last.shape, sizeof shape) && hash_of(c, bytes) == last.hash;
    if (!known) {
        if (ascend_tune_host_run(blocks, a, b, c, m, n, k, 1) != 0) {
            return 507015;
        }
        std::memcpy(last.pointers, pointers, sizeof pointers);
        std::memcpy(last.shape, shape, sizeof shape);
        last.hash = hash_of(c, bytes);
        last.us = 5 + static_cast<double>(ascend_tune_host_cycles()) / 1800;
    }
    fake_device_work(last.us);
    return 0;
}
