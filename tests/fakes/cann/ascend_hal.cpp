// Test double of libascend_hal.so: the clock, from the files rated_mhz and mhz in $FAKE_CANN_DIR.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {
long state(char const* name)
{
    char const* folder = std::getenv("FAKE_CANN_DIR");
    long value = 0;
    if (folder != nullptr) {
        if (FILE* file = std::fopen((std::string(folder) + "/" + name).c_str(), "r")) {
            (void)!std::fscanf(file, "%ld", &value);
            std::fclose(file);
        }
    }
    return value;
}
} // namespace

extern "C" int halGetDeviceInfo(uint32_t, int32_t module, int32_t info, int64_t* value)
{
    *value = state("rated_mhz");
    return module == 4 && info == 4 && *value ? 0 : 1;
}

extern "C" int halGetDeviceInfoByBuff(uint32_t, int32_t module, int32_t info, void* value, int32_t* size)
{
    const int32_t now = static_cast<int32_t>(state("mhz"));
    if (module != 4 || info != 32 || *size != 4 || !now) {
        return 1;
    }
    *static_cast<int32_t*>(value) = now;
    return 0;
}
