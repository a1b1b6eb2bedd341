// What is done with finished ranking tables: merge several, count the pairs in the right order, list the probabilities given to truth.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "sum.hpp"

namespace tallymark {

template <typename S, typename W>
struct Table {
    const S* score;  // distinct, descending
    const W* positive;
    const W* negative;
    std::size_t size;
};

template <typename S, typename W>
std::size_t merge(const Table<S, W>& a, const Table<S, W>& b, S* score, W* positive, W* negative) {
    std::size_t i = 0, j = 0, row = 0;
    while (i < a.size || j < b.size) {
        const bool from_a = j == b.size || (i < a.size && a.score[i] >= b.score[j]);
        const bool from_b = i == a.size || (j < b.size && b.score[j] >= a.score[i]);
        score[row] = from_a ? a.score[i] : b.score[j];
        positive[row] = (from_a ? a.positive[i] : W(0)) + (from_b ? b.positive[j] : W(0));
        negative[row] = (from_a ? a.negative[i] : W(0)) + (from_b ? b.negative[j] : W(0));
        i += from_a;
        j += from_b;
        ++row;
    }
    return row;
}

// The rows of several tables in descending order of their scores, equal scores joined: until two are left, the highest of all.
template <typename S, typename W>
std::size_t merge(std::vector<Table<S, W>> tables, S* score, W* positive, W* negative) {
    std::size_t row = 0;
    const auto is_empty = [](const auto& table) { return !table.size; };
    for (std::erase_if(tables, is_empty); tables.size() > 2; ++row) {
        S highest = *tables[0].score;
        for (const auto& table : tables) highest = std::max(highest, *table.score);
        W positives = 0, negatives = 0;
        bool ended = false;
        for (auto& table : tables) {
            const bool equal = *table.score == highest;
            positives += equal ? *table.positive : W(0);
            negatives += equal ? *table.negative : W(0);
            table.score += equal, table.positive += equal, table.negative += equal, table.size -= equal;
            ended |= !table.size;
        }
        score[row] = highest, positive[row] = positives, negative[row] = negatives;
        if (ended) std::erase_if(tables, is_empty);
    }
    tables.resize(2, {nullptr, nullptr, nullptr, 0});
    return row + merge(tables[0], tables[1], score + row, positive + row, negative + row);
}

// Twice the weight of the pairs (a positive, a negative) in which the positive scores higher; a tie counts once.
// Whole numbers stay exact: with 2^31 rows the sum is below 2^62.
template <typename W>
W concordance(const W* positive, const W* negative, std::size_t size) {
    Sum<W> positives_above, pairs;
    for (std::size_t row = 0; row < size; ++row) {
        pairs.add(negative[row] * (2 * positives_above.total() + positive[row]));
        positives_above.add(positive[row]);
    }
    return pairs.total();
}

// Scores read as probabilities: the one given to what was true, p for positives and 1 - p for negatives, and the weight of the
// cases there. One entry per score and class that occurs: the number of them is returned, room is needed for 2 x size.
template <typename S, typename W>
std::size_t given_to_truth(const Table<S, W>& table, double* probability, double* weight) {
    std::size_t entry = 0;
    for (std::size_t row = 0; row < table.size; ++row) {
        const double p = static_cast<double>(table.score[row]);
        probability[entry] = p;
        weight[entry] = static_cast<double>(table.positive[row]);
        entry += table.positive[row] > 0;
        probability[entry] = 1.0 - p;
        weight[entry] = static_cast<double>(table.negative[row]);
        entry += table.negative[row] > 0;
    }
    return entry;
}

}  // namespace tallymark
