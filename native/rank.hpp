// rank: labels and scores to a ranking table.
//
// Three steps: split the scores by class, sort each part, walk down both sorted parts at once.
// The sort in the middle is NumPy's own (vectorised, hard to beat), so these are the steps before and after it.
// A pivot makes two halves, above and below, which two threads finish independently of each other.
#pragma once
#include <algorithm>
#include <limits>
#include <vector>

#include "tally.hpp"

namespace tallymark {

// Where a half's next positive goes (they fill it from the front) and its next negative (from the back).
template <typename S>
struct Half {
    S* score;
    double* weight;  // null without weights
    std::size_t front, back;

    // Writes at both ends and moves one of them at most: a free slot is written in vain, but nothing is waited for.
    // A slot is free as long as a case is left to place, so no case is overwritten.
    void put(S value, bool is_positive, bool here) {
        score[front] = value;
        score[back] = value;
        front += is_positive & here;
        back -= !is_positive & here;
    }
    void put_weight(double value) const { weight[front] = weight[back] = value; }
};

struct Found {
    bool stray = false;         // some label is neither positive nor negative
    bool not_a_number = false;  // some score is NaN
};

// Adding 0 turns -0 into 0, so that equal scores are also the same bits, whatever the order of the rows.
template <bool weighted, typename T, typename S>
Found partition(const Column<T>& truth, const Column<S>& score, const Column<double>& weight, const Labels<T>& labels, S pivot,
                Half<S>& half_above, Half<S>& half_below) {
    Half<S> above = half_above, below = half_below;  // copies, so that their ends stay in registers
    bool stray = false, not_a_number = false;
    std::uint8_t positive[block_rows];
    for (std::size_t start = 0; start < truth.size; start += block_rows) {
        const std::size_t size = std::min(block_rows, truth.size - start);
        stray |= mark(truth, start, size, labels, positive);
        for (std::size_t i = 0; i < size; ++i) {
            const S value = score[start + i] + S(0);
            const bool low = value < pivot;
            not_a_number |= value != value;
            if constexpr (weighted) {
                above.put_weight(weight[start + i]);
                below.put_weight(weight[start + i]);
            }
            above.put(value, positive[i], !low);
            below.put(value, positive[i], low);
        }
    }
    half_above = above;
    half_below = below;
    return {stray, not_a_number};
}

// One class's scores in ascending order, and the weight of each case (null: one each).
template <typename S, typename W>
struct Sorted {
    const S* score;
    const W* weight;
    std::size_t size;
};

// One row per distinct score, highest first. Returns the number of rows.
// Without branches on the data: which class comes next is as unpredictable as a coin on a poor classifier.
template <bool weighted, typename S, typename W>
std::size_t collapse(const Sorted<S, W>& a, const Sorted<S, W>& b, S* score, W* positive, W* negative) {
    std::size_t i = a.size, j = b.size, row = static_cast<std::size_t>(-1);
    S last = std::numeric_limits<S>::quiet_NaN();  // differs from every score
    W in_a = 0, in_b = 0;
    const auto weight_of = [](const Sorted<S, W>& part, std::size_t at) { return weighted ? part.weight[at] : W(1); };
    const auto put = [&](S value, W from_a, W from_b) {
        const bool fresh = value != last;
        row += fresh;
        score[row] = last = value;
        positive[row] = in_a = (fresh ? W(0) : in_a) + from_a;
        negative[row] = in_b = (fresh ? W(0) : in_b) + from_b;
    };
    while (i > 0 && j > 0) {
        const S x = a.score[i - 1], y = b.score[j - 1];
        const bool take_a = x >= y, take_b = y >= x;
        put(take_a ? x : y, take_a ? weight_of(a, i - 1) : W(0), take_b ? weight_of(b, j - 1) : W(0));
        i -= take_a;
        j -= take_b;
    }
    for (; i > 0; --i) put(a.score[i - 1], weight_of(a, i - 1), W(0));
    for (; j > 0; --j) put(b.score[j - 1], W(0), weight_of(b, j - 1));
    return row + 1;
}

// All three steps in one call, for so few cases without weights that calls and allocations would cost more than the work.
// Returns the number of rows, or no_row on a NaN or a third label.
template <typename T, typename S>
std::size_t rank_few(const Column<T>& truth, const Column<S>& score, const Labels<T>& labels, S* out, std::int64_t* positive,
                     std::int64_t* negative) {
    const std::size_t n = truth.size;
    std::vector<S> scores(n + 1);  // the last is the room of an empty half below
    Half<S> above{scores.data(), nullptr, 0, n - 1}, below{scores.data() + n, nullptr, 0, 0};
    const Column<double> no_weight{};
    const Found found =
        partition<false>(truth, score, no_weight, labels, -std::numeric_limits<S>::infinity(), above, below);
    if (found.stray || found.not_a_number) return no_row;
    S *first = scores.data(), *middle = first + above.front, *last = first + n;
    std::sort(first, middle);
    std::sort(middle, last);
    const Sorted<S, std::int64_t> a{first, nullptr, above.front}, b{middle, nullptr, n - above.front};
    return collapse<false>(a, b, out, positive, negative);
}

}  // namespace tallymark
