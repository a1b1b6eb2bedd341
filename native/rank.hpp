// rank: labels and scores to a ranking table.
//
// Three steps: split the scores by class, sort each part, walk down both sorted parts at once.
#pragma once
#include <algorithm>
#include <limits>
#include <vector>

#include "tally.hpp"

namespace tallymark {

struct Found {
    std::size_t positives = 0;
    bool stray = false;         // some label is neither positive nor negative
    bool not_a_number = false;  // some score is NaN
};

// The scores of positives, from the front of `scores` on, and those of negatives, from its back on: as many as there are cases.
// Adding 0 turns -0 into 0, so that equal scores are also the same bits, whatever the order of the rows.
template <typename T, typename S>
Found partition(const Column<T>& truth, const Column<S>& score, const Labels<T>& labels, S* scores) {
    std::size_t front = 0, back = truth.size - 1;
    bool stray = false, not_a_number = false;
    std::uint8_t positive[block_rows];
    for (std::size_t start = 0; start < truth.size; start += block_rows) {
        const std::size_t size = std::min(block_rows, truth.size - start);
        stray |= mark(truth, start, size, labels, positive);
        for (std::size_t i = 0; i < size; ++i) {
            const S value = score[start + i] + S(0);
            not_a_number |= value != value;
            // Written at both ends, of which one moves: a free slot is written in vain, but nothing is waited for.
            scores[front] = value;
            scores[back] = value;
            front += positive[i];
            back -= !positive[i];
        }
    }
    return {front, stray, not_a_number};
}

// One class's scores in ascending order.
template <typename S>
struct Sorted {
    const S* score;
    std::size_t size;
};

// One row per distinct score, highest first. Returns the number of rows.
// Without branches on the data: which class comes next is as unpredictable as a coin on a poor classifier.
template <typename S>
std::size_t collapse(const Sorted<S>& a, const Sorted<S>& b, S* score, std::int64_t* positive, std::int64_t* negative) {
    std::size_t i = a.size, j = b.size, row = static_cast<std::size_t>(-1);
    S last = std::numeric_limits<S>::quiet_NaN();  // differs from every score
    std::int64_t in_a = 0, in_b = 0;
    const auto put = [&](S value, std::int64_t from_a, std::int64_t from_b) {
        const bool fresh = value != last;
        row += fresh;
        score[row] = last = value;
        positive[row] = in_a = (fresh ? 0 : in_a) + from_a;
        negative[row] = in_b = (fresh ? 0 : in_b) + from_b;
    };
    while (i > 0 && j > 0) {
        const S x = a.score[i - 1], y = b.score[j - 1];
        const bool take_a = x >= y, take_b = y >= x;
        put(take_a ? x : y, take_a, take_b);
        i -= take_a;
        j -= take_b;
    }
    for (; i > 0; --i) put(a.score[i - 1], 1, 0);
    for (; j > 0; --j) put(b.score[j - 1], 0, 1);
    return row + 1;
}

// All three steps in one call, for so few cases that calls and allocations would cost more than the work.
// Returns the number of rows, or no_row on a NaN or a third label.
template <typename T, typename S>
std::size_t rank_few(const Column<T>& truth, const Column<S>& score, const Labels<T>& labels, S* out, std::int64_t* positive,
                     std::int64_t* negative) {
    const std::size_t n = truth.size;
    std::vector<S> scores(n);
    const Found found = partition(truth, score, labels, scores.data());
    if (found.stray || found.not_a_number) return no_row;
    S *first = scores.data(), *middle = first + found.positives, *last = first + n;
    std::sort(first, middle);
    std::sort(middle, last);
    const Sorted<S> a{first, found.positives}, b{middle, n - found.positives};
    return collapse(a, b, out, positive, negative);
}

}  // namespace tallymark
