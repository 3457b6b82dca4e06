// Entry points of a build with -DASCEND_TUNE_HOST, for tests: run once, then look at the fault and the trace.
// Whoever includes this defines ascend_tune::run_host (gemm.cpp: one configuration). Not part of a device build.
#pragma once

#include <memory>

namespace {
std::unique_ptr<ascend_tune::Machine> last_machine;
}

// Runs one product on emulated cores. Returns 0, or 1 with the fault in ascend_tune_host_fault().
extern "C" int ascend_tune_host_run(
    uint32_t cores, void const* a, void const* b, void* c, uint32_t m, uint32_t n, uint32_t k, uint32_t schedule)
{
    last_machine = std::make_unique<ascend_tune::Machine>(
        ascend_tune::run_host(ascend_tune::Shape{m, n, k}, ascend_tune::Operands{a, b, c}, cores, schedule));
    return last_machine->message.empty() ? 0 : 1;
}

extern "C" char const* ascend_tune_host_fault()
{
    return last_machine ? last_machine->message.c_str() : "nothing has run";
}

// Time of the last run by the emulation's crude count of cycles: differs between configurations, predicts nothing.
extern "C" uint64_t ascend_tune_host_cycles()
{
    return last_machine ? last_machine->busiest_cycles : 0;
}

// Copies the trace of the last run, 9 words an operation (core, pipe, act, 6 arguments), and returns its length in
// operations. With words == nullptr only the length.
extern "C" uint64_t ascend_tune_host_trace(uint32_t* words)
{
    if (!last_machine) {
        return 0;
    }
    for (auto const& step : last_machine->trace) {
        if (words != nullptr) {
            *words++ = step.core;
            *words++ = static_cast<uint32_t>(step.pipe);
            *words++ = static_cast<uint32_t>(step.act);
            for (const uint32_t argument : step.args) {
                *words++ = argument;
            }
        }
    }
    return last_machine->trace.size();
}
