// resample: bootstrap weights of cases, and what a resample of a ranking table gives, in one pass and without a sort.
//
// How often each case is drawn is a byte. Draws come block by block: how many fall into each block of cases, class by class, is known
// (a multinomial over the blocks, drawn by the caller), so that inside a block every draw is a case at random, and all that is
// touched stays in the first-level cache. A block of a replicate has a stream of random numbers of its own, told by a seed and
// the numbers of both: threads, chunks and the order of work make no difference.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "column.hpp"

namespace tallymark {

constexpr std::size_t cases_in_block = 4096;  // 2^12: an index times 52 random bits fits into 64

constexpr std::uint64_t golden = 0x9E3779B97F4A7C15ULL;

// The finalizer of SplitMix64 (Steele, Lea and Flood 2014): one random number per counter.
inline std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

inline std::uint64_t stream(std::uint64_t seed, std::uint64_t replicate, std::uint64_t block) {
    return mixed(mixed(mixed(seed + golden) + replicate * golden) + block * golden);
}

// times[i]: how often case i is drawn. placed, held: of each block and class how many draws fall there, and how many cases are
// there; place: block by block, where in the block the cases of the first class are, then those of the second.
inline void draw(std::uint64_t seed, std::uint64_t replicate, const std::int64_t* placed, const std::int64_t* held, std::size_t blocks,
                 std::size_t classes, const std::uint16_t* place, std::size_t size, std::uint8_t* times) {
    std::memset(times, 0, size);
    for (std::size_t block = 0; block < blocks; ++block) {
        std::uint64_t counter = stream(seed, replicate, block);
        for (std::size_t c = 0; c < classes; ++c) {
            const auto cases = static_cast<std::uint64_t>(*held++);
            for (std::int64_t left = *placed++; left > 0; --left) {
                counter += golden;
                ++times[place[((mixed(counter) >> 12) * cases) >> 52]];
            }
            place += cases;
        }
        times += cases_in_block;
    }
}

// The same where every case is drawn a number of times that is Poisson(1), from 32 random bits each.
// limit: the probability of no more than 0, 1, 2, ... draws, as 32 bits.
constexpr std::size_t poisson_limits = 13, usual_limits = 6;  // more than the usual are seldom drawn in a block

TALLYMARK_CLONES inline void draw_poisson_block(std::uint64_t key, const std::uint32_t* limit, std::size_t size, std::uint8_t* times) {
    std::uint32_t random[cases_in_block], number[cases_in_block];
    for (std::size_t i = 0; i < cases_in_block / 2; ++i) {
        const std::uint64_t both = mixed(key + (i + 1) * golden);
        random[2 * i] = static_cast<std::uint32_t>(both);
        random[2 * i + 1] = static_cast<std::uint32_t>(both >> 32);
    }
    std::uint32_t more = 0;
    for (std::size_t i = 0; i < cases_in_block; ++i) {
        std::uint32_t above = 0;
        for (std::size_t k = 0; k < usual_limits; ++k) above += random[i] >= limit[k];
        more |= random[i] >= limit[usual_limits];
        number[i] = above;
    }
    if (more)
        for (std::size_t i = 0; i < cases_in_block; ++i)
            for (std::size_t k = usual_limits; k < poisson_limits; ++k) number[i] += random[i] >= limit[k];
    for (std::size_t i = 0; i < size; ++i) times[i] = static_cast<std::uint8_t>(number[i]);
}

inline void draw_poisson(std::uint64_t seed, std::uint64_t replicate, const std::uint32_t* limit, std::size_t size, std::uint8_t* times) {
    for (std::size_t start = 0, block = 0; start < size; start += cases_in_block, ++block)
        draw_poisson_block(stream(seed, replicate, block), limit, std::min(cases_in_block, size - start), times + start);
}

// How many draws fall on the cases that a mask of bytes 0 and 1 holds.
TALLYMARK_CLONES inline std::int64_t among(const std::uint8_t* times, const std::uint8_t* mask, std::size_t size) {
    std::int64_t sum = 0;
    for (std::size_t start = 0; start < size; start += cases_in_block) {
        const std::size_t end = std::min(size, start + cases_in_block);
        std::uint32_t here = 0;
        for (std::size_t i = start; i < end; ++i) here += times[i] & static_cast<std::uint8_t>(-mask[i]);
        sum += here;
    }
    return sum;
}

// What a replicate has summed up on the way from the highest score down.
struct Sums {
    std::int64_t tp = 0, fp = 0;                // so far
    std::int64_t positives = 0, negatives = 0;  // in all
    std::int64_t area = 0;                      // twice the pairs in the right order, a tie counting once
    double high = 0, low = 0;                   // the extremes of tp * negatives - fp * positives
    double precision = 0;                       // summed over the positives
};

// A block without ties. Precision, the area and the extremes of the difference of the rates need a look at positives only: between
// two of them the false positives alone rise. at: where in the block the positives are. All numbers but the precisions are whole, and
// below 2^53 for fewer than 2^26 cases of each class, so that doubles hold them (faster here than 64-bit integers); beyond that the
// extremes are rounded, at 16 digits.
TALLYMARK_CLONES inline void add_untied(const std::uint8_t* times, std::size_t size, const std::uint16_t* at, std::size_t positives,
                                        Sums& sums) {
    std::int32_t above[cases_in_block];  // draws down to each case
    std::int32_t all = 0;
    for (std::size_t i = 0; i < size; ++i) above[i] = all += times[i];
    const double p = static_cast<double>(sums.positives), n = static_cast<double>(sums.negatives);
    const double start = static_cast<double>(sums.tp + sums.fp);
    double tp = static_cast<double>(sums.tp), area = 0, high = sums.high, low = sums.low, precision = 0;
    for (std::size_t j = 0; j < positives; ++j) {
        const double here = times[at[j]], called = start + above[at[j]];
        tp += here;
        const double difference = tp * (n + p) - called * p, without = difference - here * n;
        high = difference > high ? difference : high;
        low = without < low ? without : low;
        area += here * (n - called + tp);
        precision += here * tp / (called > 1 ? called : 1);
    }
    sums.fp += sums.tp + all - static_cast<std::int64_t>(tp);
    sums.tp = static_cast<std::int64_t>(tp);
    sums.area += 2 * static_cast<std::int64_t>(area);
    sums.high = high;
    sums.low = low;
    sums.precision += precision;
}

// A distinct score at which so many positives and negatives are drawn.
inline void add_score(std::int64_t positives, std::int64_t negatives, Sums& sums) {
    const std::int64_t tp = sums.tp + positives, fp = sums.fp + negatives;
    sums.area += positives * (2 * sums.negatives - sums.fp - fp);
    if (positives) sums.precision += static_cast<double>(positives) * static_cast<double>(tp) / static_cast<double>(tp + fp);
    const double difference = static_cast<double>(tp * sums.negatives - fp * sums.positives);
    sums.high = std::max(sums.high, difference);
    sums.low = std::min(sums.low, difference);
    sums.tp = tp;
    sums.fp = fp;
}

// The whole way down. times, positive: in the order of falling scores; at: block by block, where in the block the positives are;
// starts: where each distinct score starts, and the end; null where no score is shared.
inline Sums swept(const std::uint8_t* times, const std::uint8_t* positive, std::size_t size, const std::uint16_t* at,
                  const std::int64_t* held, const std::int64_t* starts, std::size_t scores) {
    Sums sums;
    sums.positives = among(times, positive, size);
    for (std::size_t start = 0; start < size; start += cases_in_block) {
        std::uint32_t all = 0;
        for (std::size_t i = start; i < std::min(size, start + cases_in_block); ++i) all += times[i];
        sums.negatives += all;
    }
    sums.negatives -= sums.positives;
    if (!starts) {
        for (std::size_t start = 0; start < size; start += cases_in_block, at += *held++)
            add_untied(times + start, std::min(cases_in_block, size - start), at, static_cast<std::size_t>(*held), sums);
        return sums;
    }
    for (std::size_t row = 0; row < scores; ++row) {
        const auto first = static_cast<std::size_t>(starts[row]), end = static_cast<std::size_t>(starts[row + 1]);
        std::int64_t all = 0, positives = 0;
        for (std::size_t i = first; i < end; ++i) {
            all += times[i];
            positives += times[i] & static_cast<std::uint8_t>(-positive[i]);
        }
        add_score(positives, all - positives, sums);
    }
    return sums;
}

// The sum of a number per case over the draws, in 16 lanes, so that it can be vectorised.
TALLYMARK_CLONES inline double weighed(const std::uint8_t* times, const double* loss, std::size_t size) {
    double lanes[16] = {};
    std::size_t i = 0;
    for (; i + 16 <= size; i += 16)
        for (std::size_t lane = 0; lane < 16; ++lane) lanes[lane] += times[i + lane] * loss[i + lane];
    for (; i < size; ++i) lanes[0] += times[i] * loss[i];
    for (std::size_t half = 8; half > 0; half /= 2)
        for (std::size_t lane = 0; lane < half; ++lane) lanes[lane] += lanes[lane + half];
    return lanes[0];
}

}  // namespace tallymark
