// bfloat16 on AMX tiles: 16 rows of 64 bytes each. A micro-kernel call keeps 2 x 2 tiles of sums (32 x 32 of C) and needs
// two tiles of A and two of B for every 32 of depth. Packed panels are [k / 32][2 tiles][16 rows][32]: a row of an A tile
// is 32 deep; a row of a B tile holds two successive k for each of 16 columns.
#pragma once

extern "C" long syscall(long number, ...);

struct AmxEngine {
  typedef Bf16 Packed;
  static constexpr int kRows = 32, kColumns = 32, kDepthStep = 32, kAhead = 8;
  static constexpr int kTile = 16 * 32, kBlock = 2 * kTile;  // elements
  typedef unsigned Word16 __attribute__((vector_size(64)));
  typedef unsigned Word16U __attribute__((vector_size(64), aligned(2), may_alias));
  typedef Bf16 Half16 __attribute__((vector_size(32)));
  typedef Bf16 Half16U __attribute__((vector_size(32), aligned(2), may_alias));

  // The kernel of the operating system hands out tile registers on request; x86-64 Linux, arch_prctl(2).
  static bool available() {
    static const bool granted = syscall(158 /* arch_prctl */, 0x1023 /* ARCH_REQ_XCOMP_PERM */, 18L /* XTILEDATA */) == 0;
    return granted;
  }

  static void start() {
    struct alignas(64) {
      unsigned char palette, start_row, reserved[14];
      unsigned short bytes[16];
      unsigned char rows[16];
    } shape = {};
    shape.palette = 1;
    for (int tile = 0; tile < 8; tile++) shape.bytes[tile] = 64, shape.rows[tile] = 16;
    asm volatile("ldtilecfg %0" ::"m"(shape));
  }
  static void stop() { asm volatile("tilerelease"); }

  // Two rows of 16 become 16 pairs.
  static Word16 pairs(const Bf16* even, const Bf16* odd) {
    return __builtin_convertvector((Half16) * (const Half16U*)even, Word16) |
           __builtin_convertvector((Half16) * (const Half16U*)odd, Word16) << 16;
  }

  // 16 x 16 pairs, rows `ld` elements apart, are transposed.
  static void transpose(const Bf16* source, long ld, Bf16* out) {
    for (int i = 0; i < 16; i += 4)
      for (int q = 0; q < 16; q += 4) {
        const Bf16* s = source + i * ld + 2 * q;
        store_transposed(*(const Vec4U*)s, *(const Vec4U*)(s + ld), *(const Vec4U*)(s + 2 * ld), *(const Vec4U*)(s + 3 * ld),
                         (float*)(out + q * 32 + 2 * i), 16);
      }
  }

  // One whole block, 32 wide and 32 deep. kB: as B wants it; along: the source is contiguous along the panel.
  template <bool kB, bool kAlong>
  static void pack_block(const Bf16* source, long ld, Bf16* out) {
    for (int tile = 0; tile < 2; tile++, out += kTile) {
      const Bf16* s = source + tile * 16 * (kAlong ? 1 : ld);
      if (kAlong) {
        alignas(64) Bf16 turned[kTile];
        Bf16* target = kB ? out : turned;
        for (int pair = 0; pair < 16; pair++) {
          __builtin_prefetch(s + 2 * pair * ld + 64);
          __builtin_prefetch(s + (2 * pair + 1) * ld + 64);
          *(Word16U*)(target + pair * 32) = pairs(s + 2 * pair * ld, s + (2 * pair + 1) * ld);
        }
        if (!kB) transpose(turned, 32, out);
      } else if (kB) {
        transpose(s, ld, out);
      } else {
        for (int row = 0; row < 16; row++) __builtin_memcpy(out + row * 32, s + row * ld, 64);
      }
    }
  }

  template <bool kB, bool kAlong>
  __attribute__((noinline)) static void pack(const Bf16* source, long ld, int extent, int depth, Bf16* out) {
    const int panels = ceil_div(extent, 32), blocks = ceil_div(depth, 32);
    const long step_i = kAlong ? 1 : ld, step_k = kAlong ? ld : 1;
    for (int outer = 0; outer < (kAlong ? blocks : panels); outer++)
      for (int inner = 0; inner < (kAlong ? panels : blocks); inner++) {
        const int first = 32 * (kAlong ? inner : outer), k0 = 32 * (kAlong ? outer : inner);
        const Bf16* s = source + first * step_i + k0 * step_k;
        Bf16* d = out + ((long)(first / 32) * blocks + k0 / 32) * kBlock;
        if (first + 32 <= extent && k0 + 32 <= depth) {
          pack_block<kB, kAlong>(s, ld, d);
          continue;
        }
        for (int i = 0; i < 32; i++)
          for (int k = 0; k < 32; k++)
            d[i / 16 * kTile + (kB ? k / 2 * 32 + i % 16 * 2 + k % 2 : i % 16 * 32 + k)] =
                first + i < extent && k0 + k < depth ? s[i * step_i + k * step_k] : 0;
      }
  }

  static void pack_a(const Bf16* a, long ld, bool transposed, int rows, int depth, Bf16* out) {
    if (transposed) pack<false, true>(a, ld, rows, depth, out);
    else pack<false, false>(a, ld, rows, depth, out);
  }

  static void pack_b(const Bf16* b, long ld, bool transposed, int columns, int depth, Bf16* out) {
    if (transposed) pack<true, false>(b, ld, columns, depth, out);
    else pack<true, true>(b, ld, columns, depth, out);
  }

  __attribute__((noinline)) static void multiply(int depth, const Bf16* a, const Bf16* b, const float* acc, float* out,
                                                 long ldo, const Bf16* ahead) {
    const long stride = 64, acc_stride = kColumns * 4, out_stride = ldo * 4;
    if (acc)
      asm volatile(
          "tileloadd (%0,%4), %%tmm0\n tileloadd (%1,%4), %%tmm1\n tileloadd (%2,%4), %%tmm2\n tileloadd (%3,%4), %%tmm3" ::"r"(acc),
          "r"(acc + 16), "r"(acc + 16 * kColumns), "r"(acc + 16 * kColumns + 16), "r"(acc_stride)
          : "memory");
    else
      asm volatile("tilezero %tmm0\n tilezero %tmm1\n tilezero %tmm2\n tilezero %tmm3");
    for (int k = 0; k < depth; k += 32, a += kBlock, b += kBlock, ahead += kTile / 2) {
      asm volatile(
          "tileloadd (%0,%4), %%tmm4\n tileloadd (%2,%4), %%tmm6\n tdpbf16ps %%tmm6, %%tmm4, %%tmm0\n"
          "tileloadd (%3,%4), %%tmm7\n tdpbf16ps %%tmm7, %%tmm4, %%tmm1\n"
          "tileloadd (%1,%4), %%tmm5\n tdpbf16ps %%tmm6, %%tmm5, %%tmm2\n tdpbf16ps %%tmm7, %%tmm5, %%tmm3" ::"r"(a),
          "r"(a + kTile), "r"(b), "r"(b + kTile), "r"(stride)
          : "memory");
      for (int line = 0; line < 8; line++) {
        __builtin_prefetch(a + 4 * kBlock + line * 32);
        __builtin_prefetch(ahead + line * 32);
      }
    }
    asm volatile(
        "tilestored %%tmm0, (%0,%4)\n tilestored %%tmm1, (%1,%4)\n tilestored %%tmm2, (%2,%4)\n tilestored %%tmm3, (%3,%4)" ::"r"(out),
        "r"(out + 16), "r"(out + 16 * ldo), "r"(out + 16 * ldo + 16), "r"(out_stride)
        : "memory");
  }
};
