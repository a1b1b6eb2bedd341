// Scores counted between given edges, as many as there is memory for: quantiles of the first scores.
//
// The bits of a float, read as a whole number, are in their order. Their upper part is a cell. Where the edges are spread evenly over
// their cell, the lower part shows the place of a score among them; elsewhere few steps of a binary search do.
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace tallymark {

constexpr std::int64_t part_bits = 32;  // of a place in a cell

template <typename S>
using Bits = std::conditional_t<sizeof(S) == 8, std::int64_t, std::int32_t>;

template <typename S>
Bits<S> in_order(S value) {
    const auto bits = std::bit_cast<Bits<S>>(value);
    return bits ^ static_cast<Bits<S>>(static_cast<std::make_unsigned_t<Bits<S>>>(bits >> (8 * sizeof(S) - 1)) >> 1);
}

// below: of the edges but the first; even: the number of edges in the cell, 0 where they are not spread evenly.
struct Cell {
    std::int32_t below, even;
};

// Ascending edges, the first minus infinity. cell: one more than there are cells; the first and the last reach to infinity.
template <typename S>
struct Edges {
    const S* edge;
    const Cell* cell;
    std::int64_t lowest, shift, cells;

    // The number of edges that are at most this score, less 1.
    std::size_t place(S score) const {
        const std::int64_t key = in_order(score), at = std::clamp((key >> shift) - lowest, std::int64_t(0), cells - 1);
        const Cell& found = cell[at];
        if (found.even) {
            const std::int64_t bits = std::min(shift, part_bits);
            const std::int64_t inside = (key & ((std::int64_t(1) << shift) - 1)) >> (shift - bits);
            return static_cast<std::size_t>(found.below + 1 + (inside * found.even >> bits));
        }
        const S* base = edge + found.below + 1;
        for (std::int32_t left = cell[at + 1].below - found.below; left > 0;) {
            const std::int32_t half = (left + 1) / 2;
            base = base[half - 1] <= score ? base + half : base;
            left -= half;
        }
        return static_cast<std::size_t>(base - edge) - 1;
    }
};

template <typename S>
void count_between(const S* score, std::size_t size, const Edges<S>& edges, std::uint32_t* count) {
    for (std::size_t row = 0; row < size; ++row) ++count[edges.place(score[row])];
}

}  // namespace tallymark
