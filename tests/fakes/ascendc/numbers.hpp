// The number types of the device that C++ lacks: half and bfloat16_t, 16 bits with round-to-nearest-even.
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

inline uint32_t fake_bits(float value)
{
    uint32_t bits;
    std::memcpy(&bits, &value, 4);
    return bits;
}

inline float fake_float(uint32_t bits)
{
    float value;
    std::memcpy(&value, &bits, 4);
    return value;
}

struct half {
    uint16_t bits;

    half() = default;
    explicit half(float value) : bits(from(value)) {}

    operator float() const
    {
        const uint32_t sign = (bits & 0x8000u) << 16, exponent = (bits >> 10) & 31, fraction = bits & 1023;
        if (exponent == 31) {
            return fake_float(sign | 0x7f800000u | fraction << 13);
        }
        const float magnitude =
            exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24) : std::ldexp(1.0f + fraction / 1024.0f, int(exponent) - 15);
        return sign != 0 ? -magnitude : magnitude;
    }

    static uint16_t from(float value)
    {
        const uint16_t sign = static_cast<uint16_t>(fake_bits(value) >> 16 & 0x8000u);
        const float magnitude = std::fabs(value);
        if (std::isnan(value)) {
            return 0x7e00;
        }
        if (magnitude >= 65520.0f) {
            return sign | 0x7c00;
        }
        const int exponent = magnitude < std::ldexp(1.0f, -14) ? -14 : std::ilogb(magnitude);
        const float steps = std::nearbyint(std::ldexp(magnitude, 10 - exponent)); // ties to even
        return static_cast<uint16_t>(
            sign | (magnitude < std::ldexp(1.0f, -14) ? 0 : (exponent + 14) << 10) + static_cast<int>(steps));
    }
};

struct bfloat16_t {
    uint16_t bits;

    bfloat16_t() = default;
    explicit bfloat16_t(float value)
    {
        const uint32_t word = fake_bits(value);
        bits = static_cast<uint16_t>(std::isnan(value) ? 0x7fc0 : (word + 0x7fffu + (word >> 16 & 1)) >> 16);
    }

    operator float() const { return fake_float(static_cast<uint32_t>(bits) << 16); }
};

// float32 as the cube takes it in HF32 mode: 11 bits behind the point (asc-devkit docs, "SetHF32Mode": rounded before
// the multiplication).
inline float fake_hf32(float value)
{
    const uint32_t word = fake_bits(value);
    return std::isfinite(value) ? fake_float((word + 0x7ffu + (word >> 12 & 1)) & ~0xfffu) : value;
}
