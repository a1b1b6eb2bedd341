// sort: scores in ascending order, none of which is NaN or -0, by spreading them over buckets until a bucket holds a few.
//
// Scores that are spread evenly need two rounds. The first round divides the range of the values, the others that of their bits (the
// exponent, then the mantissa), so that scores of any magnitude are divided. What six rounds leave is left to std::sort.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "column.hpp"

namespace tallymark {

constexpr std::size_t few_to_sort = 24, most_buckets = 2048, sort_block = 4096, most_rounds = 6;

template <typename S>
using Bits = std::conditional_t<sizeof(S) == 8, std::int64_t, std::int32_t>;

// Whole numbers in the order of the scores.
template <typename S>
Bits<S> bits_of(S score) {
    const auto bits = std::bit_cast<Bits<S>>(score);
    return bits ^ ((bits >> (8 * sizeof(S) - 1)) & static_cast<Bits<S>>(~std::make_unsigned_t<Bits<S>>(0) >> 1));
}

template <typename S>
struct Range {
    S low, high;
};

template <typename S>
TALLYMARK_CLONES Range<S> range_of(const S* score, std::size_t size) {
    constexpr std::size_t lanes_of_range = 32;
    S low[lanes_of_range], high[lanes_of_range];
    std::fill_n(low, lanes_of_range, score[0]);
    std::fill_n(high, lanes_of_range, score[0]);
    std::size_t i = 0;
    for (; i + lanes_of_range <= size; i += lanes_of_range)
        for (std::size_t l = 0; l < lanes_of_range; ++l) {
            low[l] = score[i + l] < low[l] ? score[i + l] : low[l];
            high[l] = score[i + l] > high[l] ? score[i + l] : high[l];
        }
    for (; i < size; ++i) {
        low[0] = std::min(low[0], score[i]);
        high[0] = std::max(high[0], score[i]);
    }
    return {*std::min_element(low, low + lanes_of_range), *std::max_element(high, high + lanes_of_range)};
}

// The bucket of each score of a block, by its value: rounding keeps the order.
template <typename S>
TALLYMARK_CLONES void by_value(const S* score, std::size_t size, S low, S scale, std::size_t buckets, std::uint16_t* bucket) {
    const auto last = static_cast<std::int32_t>(buckets) - 1;
    for (std::size_t i = 0; i < size; ++i) {
        const auto here = static_cast<std::int32_t>((score[i] - low) * scale);
        bucket[i] = static_cast<std::uint16_t>(here < last ? here : last);
    }
}

template <typename S>
TALLYMARK_CLONES void by_bits(const S* score, std::size_t size, S low, int shift, std::uint16_t* bucket) {
    using Unsigned = std::make_unsigned_t<Bits<S>>;
    const auto least = static_cast<Unsigned>(bits_of(low));
    for (std::size_t i = 0; i < size; ++i)
        bucket[i] = static_cast<std::uint16_t>((static_cast<Unsigned>(bits_of(score[i])) - least) >> shift);
}

// How a round divides its scores.
template <typename S>
struct Division {
    S low, scale = 0;
    int shift = 0;
    std::size_t buckets = 8;

    Division(Range<S> range, std::size_t size, bool first) : low(range.low) {
        while (buckets < most_buckets && buckets < size) buckets *= 2;
        if (first) scale = static_cast<S>(buckets) / (range.high - range.low);
        if (scale > 0 && std::isfinite(scale)) return;
        scale = 0;
        using Unsigned = std::make_unsigned_t<Bits<S>>;
        const Unsigned width = static_cast<Unsigned>(bits_of(range.high)) - static_cast<Unsigned>(bits_of(range.low));
        while (width >> shift >= buckets) ++shift;
    }
    void operator()(const S* score, std::size_t size, std::uint16_t* bucket) const {
        if (scale > 0)
            by_value(score, size, low, scale, buckets, bucket);
        else
            by_bits(score, size, low, shift, bucket);
    }
};

template <typename S>
void insertion_sort(S* score, std::size_t size) {
    for (std::size_t i = 1; i < size; ++i) {
        const S here = score[i];
        std::size_t j = i;
        for (; j > 0 && score[j - 1] > here; --j) score[j] = score[j - 1];
        score[j] = here;
    }
}

// Writes the scores to room, bucket by bucket, and returns how many are in the largest. end: of each bucket.
template <typename S>
std::uint32_t scatter(const Division<S>& division, const S* score, S* room, std::size_t size, std::uint32_t* end) {
    std::uint16_t bucket[sort_block];
    for (std::size_t start = 0; start < size; start += sort_block) {
        const std::size_t here = std::min(sort_block, size - start);
        division(score + start, here, bucket);
        for (std::size_t i = 0; i < here; ++i) ++end[bucket[i] + 1];
    }
    std::uint32_t largest = 0;
    for (std::size_t b = 0; b < division.buckets; ++b) {
        largest = std::max(largest, end[b + 1]);
        end[b + 1] += end[b];
    }
    for (std::size_t start = 0; start < size; start += sort_block) {
        const std::size_t here = std::min(sort_block, size - start);
        if (size > sort_block) division(score + start, here, bucket);
        for (std::size_t i = 0; i < here; ++i) room[end[bucket[i]]++] = score[start + i];
    }
    return largest;
}

template <typename S>
void sort_in_rounds(S* score, S* room, std::size_t size, std::size_t round) {
    if (size <= few_to_sort) return insertion_sort(score, size);
    const Range<S> range = range_of(score, size);
    if (range.low == range.high) return;
    if (round == most_rounds) return std::sort(score, score + size);
    const Division<S> division(range, size, round == 0);
    std::uint32_t end[most_buckets + 1] = {};
    const bool done = scatter(division, score, room, size, end) <= few_to_sort;
    for (std::size_t b = 0, start = 0; !done && b < division.buckets; start = end[b++])
        if (end[b] > start) sort_in_rounds(room + start, score + start, end[b] - start, round + 1);
    std::memcpy(score, room, size * sizeof(S));
    if (done) insertion_sort(score, size);
}

template <typename S>
bool rises(const S* score, std::size_t size, bool falls) {
    for (std::size_t i = 1; i < size; ++i)
        if (falls ? score[i] > score[i - 1] : score[i] < score[i - 1]) return false;
    return true;
}

// room: for as many scores, below 2^32.
template <typename S>
void sort_scores(S* score, S* room, std::size_t size) {
    if (rises(score, size, false)) return;
    if (rises(score, size, true)) return std::reverse(score, score + size);
    sort_in_rounds(score, room, size, 0);
}

}  // namespace tallymark
