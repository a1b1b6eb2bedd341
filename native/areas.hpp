// areas: of each class the cases of the class whose score is above that of another case. The scores of a class's own cases are sorted
// before; each other score is looked up among them, class by class, so that only one class's own scores compete for the cache.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "column.hpp"

namespace tallymark {

constexpr std::size_t rows_in_tile = 64;  // looked up together: their searches do not wait for one another
constexpr std::int32_t most_score_buckets = 1 << 20;

// Where the own scores begin in buckets of equal width, about one for each: a score is compared with those in its own bucket only.
// A bucket is a rounded, but monotone function of the score, so that no score of a lower bucket is above one of a higher bucket.
template <typename S>
struct ScoreBuckets {
    S lowest = 0, scale = 0;  // 0: a single bucket
    std::int32_t last = 0;
    std::vector<std::int32_t> start;

    // own: size of them, ascending, at least one.
    void fill(const S* own, std::int32_t size) {
        last = 1;
        while (last < size && last < most_score_buckets) last *= 2;
        lowest = own[0];
        const S width = own[size - 1] - lowest;
        scale = static_cast<S>(last--) / width;
        if (!(width > 0 && std::isfinite(width) && std::isfinite(scale))) scale = 0, last = 0;
        start.assign(static_cast<std::size_t>(last) + 2, size);
        std::int32_t next = 0;
        for (std::int32_t i = 0; i < size; ++i)
            for (const std::int32_t bucket = of(own[i]); next <= bucket; ++next) start[static_cast<std::size_t>(next)] = i;
    }

    std::int32_t of(S score) const {
        const S place = (score - lowest) * scale;
        const S within = place < static_cast<S>(last) ? place : static_cast<S>(last);
        return within > 0 ? static_cast<std::int32_t>(within) : 0;  // NaN, of infinity times 0: the single bucket
    }
};

// slot[r]: twice the number of own scores below that of row r, plus 1 where one equals it.
template <typename S>
TALLYMARK_CLONES void look_up(const S* own, std::int32_t size, const ScoreBuckets<S>& buckets, const S* score, std::int32_t* slot) {
    std::int32_t below[rows_in_tile], end[rows_in_tile], most = 0;
    const std::int32_t* start = buckets.start.data();
    for (std::size_t r = 0; r < rows_in_tile; ++r) {
        const std::int32_t bucket = buckets.of(score[r]);
        below[r] = start[bucket];
        end[r] = start[bucket + 1];
    }
    for (std::size_t r = 0; r < rows_in_tile; ++r) most = std::max(most, end[r] - below[r]);
    std::int32_t step = 1;
    while (2 * step <= most) step *= 2;
    for (; step && most; step /= 2)
        for (std::size_t r = 0; r < rows_in_tile; ++r) {  // a mask: compilers make a branch of a conditional, eight times as slow
            const std::int32_t next = below[r] + step, inside = -static_cast<std::int32_t>(next <= end[r]);
            below[r] += step & inside & -static_cast<std::int32_t>(own[(next & inside) - (1 & inside)] < score[r]);
        }
    for (std::size_t r = 0; r < rows_in_tile; ++r)
        slot[r] = 2 * below[r] + static_cast<std::int32_t>(own[std::min(below[r], size - 1)] == score[r]);
}

template <typename S>
struct ClassTable {
    const S* score;  // a column per class, one after the other
    std::size_t cases, classes;
    const std::int64_t* truth;
    const double *worth, *weight;
};

// own: the sorted scores of class c in [start[c], start[c + 1]), and `above` and `others` of it in 2 start[c] + c and on, by slot.
// Rows [first, last): adds share * above to sums, a row per share; worth to others; weight * above to pairs.
template <typename S>
void areas(const ClassTable<S>& table, std::size_t first, std::size_t last, const S* own, const std::int64_t* start,
           const double* above, const double* share, std::size_t shares, double* sums, double* others, double* pairs) {
    const std::size_t classes = table.classes, cases = table.cases;
    ScoreBuckets<S> buckets;
    for (std::size_t c = 0; c < classes; ++c) {
        const auto size = static_cast<std::int32_t>(start[c + 1] - start[c]);
        if (!size) continue;
        buckets.fill(own + start[c], size);
        const std::size_t place = 2 * static_cast<std::size_t>(start[c]) + c;
        for (std::size_t row = first; row < last; row += rows_in_tile) {
            const std::size_t rows = std::min(rows_in_tile, last - row);
            S score[rows_in_tile] = {};
            std::int32_t slot[rows_in_tile];
            std::copy_n(table.score + c * cases + row, rows, score);
            look_up(own + start[c], size, buckets, score, slot);
            for (std::size_t r = 0; r < rows; ++r) {
                const auto truth = static_cast<std::size_t>(table.truth[row + r]);
                if (truth == c) continue;
                const double part = above[place + slot[r]];
                for (std::size_t s = 0; s < shares; ++s) sums[s * cases + row + r] += share[s * classes + c] * part;
                others[place + slot[r]] += table.worth[row + r];
                pairs[truth * classes + c] += table.weight[row + r] * part;
            }
        }
    }
}

}  // namespace tallymark
