// pairs: how many pairs of a positive and a negative are in the right order, without a ranking table and without a sort; and the table.
//
// Three steps, each in several threads. `mark_buckets` gives each case of some rows the bucket of its score and counts the cases of each
// bucket and class, `fill_buckets` writes the scores there, and `pairs_of_buckets` counts the pairs of each bucket, which fits the
// cache. The negatives of a bucket are divided once more, so finely that a positive is compared with a few of them only. For a table
// `rank_buckets` sorts both classes of a bucket instead.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "rank.hpp"
#include "sort.hpp"
#include "tally.hpp"

namespace tallymark {

// Equal parts of a range; what lies outside belongs to the first part or the last one. Rounding keeps the order: of two scores in
// different parts the one in the later part is higher.
template <typename S>
struct Parts {
    S low, scale;
    std::int32_t parts;

    std::int32_t operator()(S score) const {
        const S at = (score - low) * scale, last = static_cast<S>(parts - 1);
        return static_cast<std::int32_t>(at > 0 ? (at < last ? at : last) : 0);  // 0 also for a NaN
    }
};

// bucket[i]: twice the part of a score, plus 1 for a positive. Returns whether a score is NaN.
template <typename S>
TALLYMARK_CLONES bool buckets_of(const S* score, const std::uint8_t* positive, std::size_t size, Parts<S> parts,
                                 std::uint16_t* bucket) {
    Bits<S> gaps = 0;
    for (std::size_t i = 0; i < size; ++i) {
        gaps |= score[i] != score[i];
        bucket[i] = static_cast<std::uint16_t>(2 * parts(score[i]) + positive[i]);
    }
    return gaps != 0;
}

// Of rows [first, last): the bucket of each, and count[b], the number of cases in bucket b. False on a NaN or a third label.
template <typename T, typename S>
bool mark_buckets(const Column<T>& truth, const Labels<T>& labels, const S* score, std::size_t first, std::size_t last,
                  const Parts<S>& parts, std::uint16_t* bucket, std::int64_t* count) {
    std::uint8_t positive[block_rows];
    for (std::size_t start = first; start < last; start += block_rows) {
        const std::size_t size = std::min(block_rows, last - start);
        if (mark(truth, start, size, labels, positive)) return false;
        if (buckets_of(score + start, positive, size, parts, bucket + start)) return false;
        for (std::size_t i = start; i < start + size; ++i) ++count[bucket[i]];
    }
    return true;
}

// Writes the scores of rows [first, last) to their buckets, -0 as 0. next: where the next score of each bucket goes. The scores are the
// caller's, and another thread may have written to them since they were marked: a NaN, which `sort_scores` does not take, becomes 0.
template <typename S>
void fill_buckets(const S* score, const std::uint16_t* bucket, std::size_t first, std::size_t last, std::int64_t* next, S* room) {
    for (std::size_t i = first; i < last; ++i) {
        const S here = score[i];
        room[next[bucket[i]]++] = here == here ? here + S(0) : S(0);
    }
}

constexpr std::size_t most_parts = 2048, cases_in_part = 4, at_a_time = 8, many_in_part = 64;
constexpr std::size_t most_together = std::size_t{1} << 26;  // positives, whose counts a lane of 32 bits holds

// Twice the pairs in the right order, a tie counting once. The negatives are in order part by part, so that those of later parts, which
// are read to fill up the lanes, are above the positive. There is room for `at_a_time` more of them, which are NaN.
template <typename S>
TALLYMARK_CLONES std::int64_t compared(const S* positive, std::size_t positives, const S* negative, const std::uint32_t* start,
                                       Parts<S> parts) {
    std::int64_t sum = 0;
    for (std::size_t first = 0; first < positives; first += most_together) {
        Bits<S> above[at_a_time] = {};
        const std::size_t last = std::min(positives, first + most_together);
        for (std::size_t i = first; i < last; ++i) {
            const S score = positive[i];
            const std::int32_t part = parts(score);
            sum += 2 * static_cast<std::int64_t>(start[part]);
            for (std::uint32_t j = start[part]; j < start[part + 1]; j += at_a_time)
                for (std::size_t l = 0; l < at_a_time; ++l) above[l] += (negative[j + l] < score) + (negative[j + l] <= score);
        }
        for (const Bits<S> lane : above) sum += lane;
    }
    return sum;
}

// The same of scores that no division spreads well. Sorts both.
template <typename S>
std::int64_t sorted_and_compared(S* positive, std::size_t positives, S* negative, std::size_t negatives) {
    std::vector<S> room(std::max(positives, negatives));
    sort_scores(positive, room.data(), positives);
    sort_scores(negative, room.data(), negatives);
    std::size_t below = 0, up_to = 0;
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < positives; ++i) {
        while (below < negatives && negative[below] < positive[i]) ++below;
        while (up_to < negatives && negative[up_to] <= positive[i]) ++up_to;
        sum += static_cast<std::int64_t>(below + up_to);
    }
    return sum;
}

// The pairs of a bucket. room: for as many negatives and `at_a_time` more.
template <typename S>
std::int64_t pairs_of_bucket(S* negative, std::size_t negatives, S* positive, std::size_t positives, S* room) {
    if (!negatives || !positives) return 0;
    const Range<S> range = range_of(negative, negatives);
    std::size_t many = 1;
    while (many < most_parts && many * cases_in_part < negatives) many *= 2;
    const Parts<S> parts{range.low, static_cast<S>(many) / (range.high - range.low), static_cast<std::int32_t>(many)};
    if (!(parts.scale > 0 && std::isfinite(parts.scale)))
        return sorted_and_compared(positive, positives, negative, negatives);
    std::uint32_t start[most_parts + 2], largest = 0;
    std::fill_n(start, many + 2, 0);
    for (std::size_t i = 0; i < negatives; ++i) ++start[parts(negative[i]) + 2];
    for (std::size_t p = 2; p <= many + 1; ++p) {
        largest = std::max(largest, start[p]);
        start[p] += start[p - 1];
    }
    if (largest > many_in_part) return sorted_and_compared(positive, positives, negative, negatives);
    for (std::size_t i = 0; i < negatives; ++i) room[start[parts(negative[i]) + 1]++] = negative[i];
    std::fill_n(room + negatives, at_a_time, std::numeric_limits<S>::quiet_NaN());
    return compared(positive, positives, room, start, parts);
}

// The pairs within buckets [first, last) of parts. start: where the negatives of each part start in `scores`, then its positives; and
// the end. Writes over the scores.
template <typename S>
std::int64_t pairs_of_buckets(S* scores, const std::int64_t* start, std::size_t first, std::size_t last) {
    std::int64_t most = 0, sum = 0;
    for (std::size_t b = first; b < last; ++b) most = std::max(most, start[2 * b + 1] - start[2 * b]);
    std::vector<S> room(static_cast<std::size_t>(most) + at_a_time);
    for (std::size_t b = first; b < last; ++b) {
        const std::int64_t* at = start + 2 * b;
        sum += pairs_of_bucket(scores + at[0], static_cast<std::size_t>(at[1] - at[0]), scores + at[1],
                               static_cast<std::size_t>(at[2] - at[1]), room.data());
    }
    return sum;
}

// The rows of the ranking table for buckets [first, last), highest first, and their number. Sorts the scores.
template <typename S>
std::size_t rank_buckets(S* scores, const std::int64_t* start, std::size_t first, std::size_t last, S* score, std::int64_t* positive,
                         std::int64_t* negative) {
    std::int64_t most = 0;
    for (std::size_t part = 2 * first; part < 2 * last; ++part) most = std::max(most, start[part + 1] - start[part]);
    std::vector<S> room(static_cast<std::size_t>(most));
    std::size_t row = 0;
    for (std::size_t b = last; b-- > first;) {
        const std::int64_t* at = start + 2 * b;
        const auto negatives = static_cast<std::size_t>(at[1] - at[0]), positives = static_cast<std::size_t>(at[2] - at[1]);
        sort_scores(scores + at[0], room.data(), negatives);
        sort_scores(scores + at[1], room.data(), positives);
        const Sorted<S> a{scores + at[1], positives}, z{scores + at[0], negatives};
        row += collapse(a, z, score + row, positive + row, negative + row);
    }
    return row;
}

}  // namespace tallymark
