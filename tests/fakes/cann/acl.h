// Test double of AscendCL's header: only what kernel_templates/catlass_gemm/timing.hpp uses.
#pragma once
#include <cstdint>

typedef int aclError;
typedef void* aclrtEvent;
typedef void* aclrtStream;
#define ACL_EVENT_TIME_LINE 0x00000008U

extern "C" {
aclError aclrtCreateEventWithFlag(aclrtEvent* event, uint32_t flag);
aclError aclrtDestroyEvent(aclrtEvent event);
aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream);
aclError aclrtEventElapsedTime(float* ms, aclrtEvent start, aclrtEvent stop);
aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, int32_t timeout_ms);
}
