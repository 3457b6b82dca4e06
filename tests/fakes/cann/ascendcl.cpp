// Test double of libascendcl.so: events on a virtual clock, and faults read from files in $FAKE_CANN_DIR:
//   sync     code that the next wait for the stream returns (507014, 507015 ...); the process stays poisoned after 5070xx
//   record   code that recording an event returns
//   hang     the wait for the stream never ends
//   errmsg   CANN's account of a failing call, read (and taken away) by aclGetRecentErrMsg
//   physical number on the host of the first visible device (the others follow it); without the file the call fails, as
//            it does where the driver is older than CANN
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace {
double now_ms = 0;
bool poisoned = false;
int pending = 0;     // of a kernel that faulted: shows at the next wait
std::string account; // what is known of it
std::vector<std::pair<std::string, double>> kernels; // that ran: name, us

struct Event {
    double at_ms = -1;
};

long state(char const* name, long otherwise = 0)
{
    char const* folder = std::getenv("FAKE_CANN_DIR");
    long value = otherwise;
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

// A kernel of a name; with the file `mspti_drop` its record is lost.
void fake_device_kernel(char const* name, double us)
{
    if (!state("mspti_drop")) {
        kernels.emplace_back(name, us);
    }
    now_ms += us / 1000;
}

int fake_records() { return static_cast<int>(kernels.size()); }
char const* fake_record_name(int at) { return kernels[at].first.c_str(); }
double fake_record_us(int at) { return kernels[at].second; }

void fake_device_fault(int code, char const* text)
{
    pending = code;
    account = std::string("EZ9999: The error from device(chipId:0), errorStr: ") + text + "\n";
}

int fake_poisoned() { return poisoned ? 507899 : 0; }

int aclrtSetOpExecuteTimeOut(uint32_t) { return 0; }

char const* aclGetRecentErrMsg()
{
    static std::string text;
    char const* folder = std::getenv("FAKE_CANN_DIR");
    const std::string path = std::string(folder != nullptr ? folder : "") + "/errmsg";
    text.swap(account);
    account.clear();
    if (FILE* file = std::fopen(path.c_str(), "r")) {
        char part[4096];
        for (size_t length; (length = std::fread(part, 1, sizeof part, file)) > 0;) {
            text.append(part, length);
        }
        std::fclose(file);
        std::remove(path.c_str());
    }
    return text.empty() ? nullptr : text.c_str();
}

int aclrtGetPhyDevIdByUserDevId(int32_t index, int32_t* number)
{
    const long first = state("physical", -1);
    *number = static_cast<int32_t>(first + index);
    return first < 0 ? 507899 : 0;
}

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
    const int code = pending != 0 ? pending : static_cast<int>(state("sync"));
    pending = 0;
    poisoned = code / 1000 == 507;
    (void)timeout_ms;
    return code;
}
}
