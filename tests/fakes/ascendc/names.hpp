// Names of AscendC that CATLASS's headers mention in templates which nobody here instantiates. Declared, never defined:
// a kernel that uses one of them does not link.
#pragma once

namespace AscendC {

struct int4b_t {
    uint8_t bits;
};

using TEventID = int8_t;

template <class A, class B>
struct IsSameType : std::is_same<A, B> {};

struct DataCopyParams {
    DataCopyParams() = default;
    DataCopyParams(uint16_t count, uint16_t length, uint16_t source_gap, uint16_t target_gap)
        : blockCount(count), blockLen(length), srcStride(source_gap), dstStride(target_gap)
    {}
    uint16_t blockCount = 1, blockLen = 0, srcStride = 0, dstStride = 0;
};

struct DataCopyExtParams {
    DataCopyExtParams() = default;
    DataCopyExtParams(uint16_t count, uint32_t length, uint32_t source_gap, uint32_t target_gap, uint32_t rest);
    uint16_t blockCount;
    uint32_t blockLen, srcStride, dstStride, rsv;
};

template <class T>
struct DataCopyPadExtParams {
    DataCopyPadExtParams() = default;
    DataCopyPadExtParams(bool pad, uint8_t left, uint8_t right, T value);
    bool isPad;
    uint8_t leftPadding, rightPadding;
    T paddingValue;
};

struct UnaryRepeatParams {
    UnaryRepeatParams() = default;
    UnaryRepeatParams(uint16_t, uint16_t, uint8_t, uint8_t);
};

struct BinaryRepeatParams {
    BinaryRepeatParams() = default;
    BinaryRepeatParams(uint8_t, uint8_t, uint8_t, uint8_t, uint8_t, uint8_t);
};

struct LoadData3DParamsV2Pro {
    uint16_t channelSize;
    bool enTranspose, enSmallK, filterSizeW, filterSizeH, fMatrixCtrl;
    uint64_t extConfig, filterConfig;
};

using LoadData2dParams = LoadData2DParams;

enum class RoundMode { CAST_NONE, CAST_RINT, CAST_FLOOR, CAST_CEIL, CAST_ROUND, CAST_TRUNC, CAST_ODD };

constexpr TEventID EVENT_ID0 = 0, EVENT_ID1 = 1, EVENT_ID2 = 2, EVENT_ID3 = 3;

template <class T, class Params>
void DataCopy(LocalTensor<T> const&, GlobalTensor<T> const&, Params const&);
template <class T, class Params>
void DataCopy(LocalTensor<T> const&, LocalTensor<T> const&, Params const&);
template <class T, class Params>
void DataCopy(GlobalTensor<T> const&, LocalTensor<T> const&, Params const&);

uint32_t GetSubBlockIdx();
uint32_t GetSubBlockNum();

template <class...>
void DataCopyPad(...);
template <class...>
void Cast(...);
template <class...>
void Muls(...);
template <class...>
void Adds(...);
template <class...>
void ShiftLeft(...);
template <class...>
void Duplicate(...);
template <class...>
void And(...);
template <class, bool>
void And(...);
template <class...>
void Or(...);
template <class...>
void LoadDataWithSparse(...);
template <class, bool>
void SetFixPipeConfig(...);
template <class...>
void Load3DSetFMatrixCal(...);

} // namespace AscendC

using AscendC::EVENT_ID0;
using AscendC::EVENT_ID1;
using AscendC::EVENT_ID2;
using AscendC::EVENT_ID3;

void pipe_barrier(uint32_t);
