// resample: what a resample of a ranking table gives, in one pass over the draws and without a sort.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "column.hpp"
#include "draw.hpp"

namespace tallymark {

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

    // Whole numbers are below 2^53 for fewer than 2^26 cases of each class; beyond that this is rounded, at 16 digits.
    double difference() const {
        return static_cast<double>(tp) * static_cast<double>(negatives) - static_cast<double>(fp) * static_cast<double>(positives);
    }
    void keep_extremes() {
        high = std::max(high, difference());
        low = std::min(low, difference());
    }
};

TALLYMARK_CLONES inline std::uint32_t all_of(const std::uint8_t* times, std::size_t size) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += times[i];
    return sum;
}

constexpr std::size_t words = cases_in_block / 8;
constexpr std::uint64_t every_byte = 0x0101010101010101;

// above[i]: the draws down to case i of a block. A word of eight numbers below 32, times every_byte, has in each byte the sum of the
// bytes before it and its own.
TALLYMARK_CLONES inline void add_up(const std::uint8_t* times, std::size_t size, std::int32_t* above) {
    std::uint64_t word[words] = {}, many = 0;
    std::memcpy(word, times, size);
    for (std::size_t w = 0; w < words; ++w) many |= word[w];
    std::int32_t sum = 0, before[words];
    if (std::endian::native != std::endian::little || (many & 0xE0 * every_byte)) {
        for (std::size_t i = 0; i < size; ++i) above[i] = sum += times[i];
        return;
    }
    std::uint8_t within[cases_in_block];
    for (std::size_t w = 0; w < words; ++w) word[w] *= every_byte;
    std::memcpy(within, word, sizeof within);
    for (std::size_t w = 0; w < words; ++w) {
        before[w] = sum;
        sum += static_cast<std::int32_t>(word[w] >> 56);
    }
    for (std::size_t w = 0; 8 * w < size; ++w)
        for (std::size_t k = 0; k < 8; ++k) above[8 * w + k] = before[w] + within[8 * w + k];
}

// The positives of a block in the order of falling scores: the draws of each, those of positives down to it, those of all cases down
// to it. Up to the next multiple of `at_once` they are filled with positives that are not drawn.
constexpr std::size_t at_once = 64;

struct Positives {
    std::int32_t here[cases_in_block], tp[cases_in_block], called[cases_in_block];
    std::size_t size;
    std::int32_t drawn;

    Positives(const std::uint8_t* times, const std::int32_t* above, const std::uint16_t* at, std::size_t count)
        : size((count + at_once - 1) / at_once * at_once) {
        std::int32_t sum = 0;
        for (std::size_t j = 0; j < count; ++j) {
            const std::size_t i = at[j];
            here[j] = times[i];
            called[j] = above[i];
            tp[j] = sum += times[i];
        }
        for (std::size_t j = count; j < size; ++j) {
            here[j] = 0;
            called[j] = called[count - 1];
            tp[j] = sum;
        }
        drawn = sum;
    }
};

// The sum of the precisions at the positives of a block. tp, called: the draws above the block.
TALLYMARK_CLONES inline double precisions(const Positives& p, double tp, double called) {
    const std::int32_t least = called < 1;  // nothing is divided by 0
    double lane[lanes] = {}, part[at_once];
    for (std::size_t start = 0; start < p.size; start += at_once) {
        for (std::size_t j = 0; j < at_once; ++j) {
            const std::int32_t down = p.called[start + j] > least ? p.called[start + j] : least;
            part[j] = p.here[start + j] * (tp + p.tp[start + j]) / (called + down);
        }
        for (std::size_t j = 0; j < at_once; j += lanes)
            for (std::size_t l = 0; l < lanes; ++l) lane[l] += part[j + l];
    }
    for (std::size_t half = lanes / 2; half > 0; half /= 2)
        for (std::size_t l = 0; l < half; ++l) lane[l] += lane[l + half];
    return lane[0];
}

// The pairs of a positive of a block and a negative above it there.
TALLYMARK_CLONES inline std::int64_t wrong_pairs(const Positives& p) {
    std::int64_t sum = 0;
    for (std::size_t j = 0; j < p.size; ++j) sum += static_cast<std::int64_t>(p.here[j]) * (p.called[j] - p.tp[j]);
    return sum;
}

// The extremes lie at positives, and before them: between two of them the false positives alone rise.
inline void find_extremes(const Positives& p, Sums& sums) {
    const double positives = static_cast<double>(sums.positives), negatives = static_cast<double>(sums.negatives);
    const double start = sums.difference();
    for (std::size_t j = 0; j < p.size; ++j) {
        const double difference = start + p.tp[j] * (negatives + positives) - p.called[j] * positives;
        sums.high = std::max(sums.high, difference);
        sums.low = std::min(sums.low, difference - p.here[j] * negatives);
    }
}

// A block without ties. The extremes of the ends of all blocks are known: few blocks can go beyond them. at: where the positives are.
inline void add_untied(const std::uint8_t* times, std::size_t size, const std::uint16_t* at, std::size_t count, Sums& sums) {
    std::int32_t above[cases_in_block];
    add_up(times, size, above);
    const Positives p(times, above, at, count);
    const std::int64_t negatives = above[size - 1] - p.drawn;
    sums.precision += precisions(p, static_cast<double>(sums.tp), static_cast<double>(sums.tp + sums.fp));
    sums.area += 2 * (p.drawn * (sums.negatives - sums.fp) - wrong_pairs(p));
    const double start = sums.difference();
    if (start + static_cast<double>(p.drawn) * static_cast<double>(sums.negatives) > sums.high ||
        start - static_cast<double>(negatives) * static_cast<double>(sums.positives) < sums.low)
        find_extremes(p, sums);
    sums.tp += p.drawn;
    sums.fp += negatives;
}

// A distinct score at which so many positives and negatives are drawn.
inline void add_score(std::int64_t positives, std::int64_t negatives, Sums& sums) {
    const std::int64_t tp = sums.tp + positives, fp = sums.fp + negatives;
    sums.area += positives * (2 * sums.negatives - sums.fp - fp);
    if (positives) sums.precision += static_cast<double>(positives) * static_cast<double>(tp) / static_cast<double>(tp + fp);
    sums.tp = tp;
    sums.fp = fp;
    sums.keep_extremes();
}

// The numbers of draws of each class, and the extremes at the ends of the blocks, if these are ends of scores.
inline Sums counted(const std::uint8_t* times, const std::uint8_t* positive, std::size_t size, bool ends) {
    const std::size_t blocks = (size + cases_in_block - 1) / cases_in_block;
    std::vector<std::int64_t> all(blocks), positives(blocks);
    Sums sums;
    for (std::size_t block = 0, start = 0; block < blocks; ++block, start += cases_in_block) {
        const std::size_t here = std::min(cases_in_block, size - start);
        all[block] = all_of(times + start, here);
        positives[block] = among(times + start, positive + start, here);
        sums.positives += positives[block];
        sums.negatives += all[block] - positives[block];
    }
    for (std::size_t block = 0; ends && block < blocks; ++block) {
        sums.tp += positives[block];
        sums.fp += all[block] - positives[block];
        sums.keep_extremes();
    }
    sums.tp = sums.fp = 0;
    return sums;
}

// The whole way down. times, positive: in the order of falling scores; at: block by block, where in the block the positives are;
// starts: where each distinct score starts, and the end; null where no score is shared.
inline Sums swept(const std::uint8_t* times, const std::uint8_t* positive, std::size_t size, const std::uint16_t* at,
                  const std::int64_t* held, const std::int64_t* starts, std::size_t scores) {
    Sums sums = counted(times, positive, size, !starts);
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

// The sum of a number per case over the draws, in 32 lanes, so that it can be vectorised.
TALLYMARK_CLONES inline double weighed(const std::uint8_t* times, const double* loss, std::size_t size) {
    constexpr std::size_t sums = 2 * lanes;
    double lane[sums] = {};
    std::size_t i = 0;
    for (; i + sums <= size; i += sums)
        for (std::size_t l = 0; l < sums; ++l) lane[l] += times[i + l] * loss[i + l];
    for (; i < size; ++i) lane[0] += times[i] * loss[i];
    for (std::size_t half = sums / 2; half > 0; half /= 2)
        for (std::size_t l = 0; l < half; ++l) lane[l] += lane[l + half];
    return lane[0];
}

}  // namespace tallymark
