// areas: of each class the cases of the class whose score is above that of another case, in one pass over the rows of a table with a score
// per class. The scores of a class's own cases are sorted before; each other score is looked up among them.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "column.hpp"

namespace tallymark {

constexpr std::size_t rows_in_tile = 64;  // looked up together: their searches do not wait for one another

// slot[r]: twice the number of own scores below that of row r, plus 1 where one equals it. own: size of them, ascending, at least one.
template <typename S>
TALLYMARK_CLONES void look_up(const S* own, std::int32_t size, const S* score, std::int32_t* slot) {
    std::int32_t below[rows_in_tile] = {};
    for (std::int32_t left = size; left > 1;) {
        const std::int32_t half = left / 2;
        for (std::size_t r = 0; r < rows_in_tile; ++r)  // a mask: compilers make a branch of a conditional, eight times as slow
            below[r] += half & -static_cast<std::int32_t>(own[below[r] + half - 1] < score[r]);
        left -= half;
    }
    for (std::size_t r = 0; r < rows_in_tile; ++r) {
        below[r] += static_cast<std::int32_t>(own[below[r]] < score[r]);
        slot[r] = 2 * below[r] + static_cast<std::int32_t>(own[std::min(below[r], size - 1)] == score[r]);
    }
}

template <typename S>
struct ClassTable {
    const S* score;  // a row per case, a column per class
    std::size_t classes;
    const std::int64_t* truth;
    const double *worth, *weight;
};

// own: the sorted scores of class c in [start[c], start[c + 1]), and `above` and `others` of it in 2 start[c] + c and on, by slot.
// Rows [first, last): adds share * above to sums, a row of length `cases` per share; worth to others; weight * above to pairs.
template <typename S>
void areas(const ClassTable<S>& table, std::size_t first, std::size_t last, const S* own, const std::int64_t* start,
           const double* above, const double* share, std::size_t shares, std::size_t cases, double* sums, double* others, double* pairs) {
    const std::size_t classes = table.classes;
    for (std::size_t row = first; row < last; row += rows_in_tile) {
        const std::size_t rows = std::min(rows_in_tile, last - row);
        for (std::size_t c = 0; c < classes; ++c) {
            const auto size = static_cast<std::int32_t>(start[c + 1] - start[c]);
            if (!size) continue;
            S score[rows_in_tile] = {};
            std::int32_t slot[rows_in_tile];
            for (std::size_t r = 0; r < rows; ++r) score[r] = table.score[(row + r) * classes + c];
            look_up(own + start[c], size, score, slot);
            const std::size_t place = 2 * static_cast<std::size_t>(start[c]) + c;
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
