// Timing on the device's own clock: AscendCL events recorded on the stream, around the launches. Part of ABI 1.
//
// An own template gets ascend_tune_sample by including this file after defining ascend_tune_launch.
#pragma once

#include <cstdint>

#include "acl/acl.h"

extern "C" int ascend_tune_launch(
    uint32_t blocks, void* stream, void* a, void* b, void* c, uint32_t m, uint32_t n, uint32_t k);

namespace ascend_tune {

// Destroys its events on every way out.
struct EventPair {
    aclrtEvent start = nullptr;
    aclrtEvent stop = nullptr;

    int create()
    {
        int code = aclrtCreateEventWithFlag(&start, ACL_EVENT_TIME_LINE);
        return code != 0 ? code : aclrtCreateEventWithFlag(&stop, ACL_EVENT_TIME_LINE);
    }

    ~EventPair()
    {
        if (start != nullptr) {
            (void)aclrtDestroyEvent(start);
        }
        if (stop != nullptr) {
            (void)aclrtDestroyEvent(stop);
        }
    }
};

// Launches `launches` times between one pair of events, then waits at most `timeout_ms`.
inline int time_launches(
    uint32_t blocks, void* stream, void* a, void* b, void* c, uint32_t m, uint32_t n, uint32_t k, uint32_t launches,
    int32_t timeout_ms, float* total_ms)
{
    EventPair events;
    int code = events.create();
    if (code == 0) {
        code = aclrtRecordEvent(events.start, stream);
    }
    for (uint32_t launch = 0; code == 0 && launch < launches; ++launch) {
        code = ascend_tune_launch(blocks, stream, a, b, c, m, n, k);
    }
    if (code == 0) {
        code = aclrtRecordEvent(events.stop, stream);
    }
    if (code == 0) {
        code = aclrtSynchronizeStreamWithTimeout(stream, timeout_ms);
    }
    if (code == 0) {
        code = aclrtEventElapsedTime(total_ms, events.start, events.stop);
    }
    return code;
}

} // namespace ascend_tune

// Device time of `launches` launches together, in milliseconds. Returns 0 or the first AscendCL code that is not.
extern "C" __attribute__((visibility("default"))) int ascend_tune_sample(
    uint32_t blocks, void* stream, void* a, void* b, void* c, uint32_t m, uint32_t n, uint32_t k, uint32_t launches,
    int32_t timeout_ms, float* total_ms)
{
    return ascend_tune::time_launches(blocks, stream, a, b, c, m, n, k, launches, timeout_ms, total_ms);
}

extern "C" __attribute__((visibility("default"))) uint32_t ascend_tune_abi()
{
    return 1;
}
