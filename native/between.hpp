// Scores counted between given edges, as many as there is memory for: quantiles of the first scores.
//
// The bits of a float, read as a whole number, are in its order. Their upper part is a cell, of which a table says which
// edges lie in it, so that few steps of a binary search are left, whatever the distribution of the scores.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace tallymark {

template <typename S>
using Bits = std::conditional_t<sizeof(S) == 8, std::int64_t, std::int32_t>;

template <typename S>
Bits<S> in_order(S value) {
    const auto bits = std::bit_cast<Bits<S>>(value);
    return bits ^ static_cast<Bits<S>>(static_cast<std::make_unsigned_t<Bits<S>>>(bits >> (8 * sizeof(S) - 1)) >> 1);
}

// Ascending edges, the first at most the lowest score. first: of the cells the number of edges below each, and of all.
template <typename S>
struct Edges {
    const S* edge;
    const std::int32_t* first;
    std::int64_t lowest, shift, cells;

    std::size_t cell(S score) const {
        const std::int64_t at = (static_cast<std::int64_t>(in_order(score)) >> shift) - lowest;
        return static_cast<std::size_t>(at < 0 ? 0 : at >= cells ? cells - 1 : at);
    }
    std::size_t size() const { return static_cast<std::size_t>(first[cells]); }

    // The number of edges that are at most this score, less 1.
    std::size_t place(S score) const {
        const std::int32_t* of_cell = first + cell(score);
        const S* base = edge + of_cell[0];
        for (std::int32_t left = of_cell[1] - of_cell[0]; left > 0;) {
            const std::int32_t half = (left + 1) / 2;
            base = base[half - 1] <= score ? base + half : base;
            left -= half;
        }
        return static_cast<std::size_t>(base - edge) - 1;
    }
};

// Scores are first brought together by parts of the edges that fit the first cache.
template <typename S>
void count_between(const S* score, std::size_t size, const Edges<S>& edges, std::uint32_t* count) {
    constexpr std::size_t edges_in_part = 1 << 10;
    std::vector<std::uint16_t> part(size);
    std::vector<std::size_t> next(edges.size() / edges_in_part + 2);
    std::vector<S> near(size);
    for (std::size_t row = 0; row < size; ++row) {
        part[row] = static_cast<std::uint16_t>(static_cast<std::size_t>(edges.first[edges.cell(score[row])]) / edges_in_part);
        ++next[part[row] + 1u];
    }
    for (std::size_t i = 1; i < next.size(); ++i) next[i] += next[i - 1];
    for (std::size_t row = 0; row < size; ++row) near[next[part[row]]++] = score[row];
    for (std::size_t row = 0; row < size; ++row) ++count[edges.place(near[row])];
}

}  // namespace tallymark
