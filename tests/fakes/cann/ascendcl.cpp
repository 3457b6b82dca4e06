// Test double of libascendcl.so: events on a virtual clock, and faults read from files in $FAKE_CANN_DIR:
//   sync     code that the next wait for the stream returns (507014, 507015 ...); the process stays poisoned after 5070xx
//   record   code that recording an event returns
//   hang     the wait for the stream never ends
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>

namespace {
double now_ms = 0;
bool poisoned = false;

struct Event {
    double at_ms = -1;
};

long state(char const* name)
{
    char const* folder = std::getenv("FAKE_CANN_DIR");
    long value = 0;
    if (folder != nullptr) {
        if (FILE* file = std::fopen((std::string(folder) + "/" + name).c_str(), "r")) {
            if (std::fscanf(file, "%ld", &value) != 1) {
                value = 1;
            }
            std::fclose(file);
        }
    }
    return value;
}
} // namespace

extern "C" {
void fake_device_work(double us) { now_ms += us / 1000; }

int fake_poisoned() { return poisoned ? 507899 : 0; }

int aclrtSetOpExecuteTimeOut(uint32_t) { return 0; }

int aclrtCreateEventWithFlag(void** event, uint32_t flag)
{
    if (flag != 8) {
        return 107000;
    }
    *event = new Event;
    return fake_poisoned();
}

int aclrtDestroyEvent(void* event)
{
    delete static_cast<Event*>(event);
    return 0;
}

int aclrtRecordEvent(void* event, void* stream)
{
    if (poisoned) {
        return 507899;
    }
    if (stream == nullptr) {
        return 107003;
    }
    static_cast<Event*>(event)->at_ms = now_ms;
    return static_cast<int>(state("record"));
}

int aclrtEventElapsedTime(float* ms, void* start, void* stop)
{
    const Event &from = *static_cast<Event*>(start), &to = *static_cast<Event*>(stop);
    if (from.at_ms < 0 || to.at_ms < 0) {
        return 107006;
    }
    *ms = static_cast<float>(to.at_ms - from.at_ms);
    return 0;
}

int aclrtSynchronizeStreamWithTimeout(void*, int32_t timeout_ms)
{
    if (poisoned) {
        return 507899;
    }
    if (state("hang")) {
        for (;;) {
            pause();
        }
    }
    const int code = static_cast<int>(state("sync"));
    poisoned = code / 1000 == 507;
    (void)timeout_ms;
    return code;
}
}
