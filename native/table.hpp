// What is done with finished ranking tables: merge several, count the pairs in the right order, list the probabilities given to truth.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <type_traits>
#include <vector>

#include "exact.hpp"

namespace tallymark {

// A sum of floats with what rounding took from it (Neumaier 1974), so that weights of any size keep their digits; of integers plain.
template <typename W>
struct Sum {
    W sum = 0, lost = 0;

    void add(W value) {
        const W before = sum;
        sum += value;
        if constexpr (std::is_floating_point_v<W>)
            lost += std::fabs(before) >= std::fabs(value) ? (before - sum) + value : (value - sum) + before;
    }
    W total() const { return sum + lost; }
};

template <typename S, typename W>
struct Table {
    const S* score;  // distinct, descending
    const W* positive;
    const W* negative;
    std::size_t size;
};

// The rows of several tables in descending order of their scores, equal scores joined; the tables are read up to their ends.
template <typename S, typename W>
std::size_t merge(std::vector<Table<S, W>> tables, S* score, W* positive, W* negative) {
    std::erase_if(tables, [](const auto& table) { return !table.size; });
    std::size_t row = 0;
    while (tables.size() > 1) {
        S highest = *tables[0].score;
        for (const auto& table : tables) highest = std::max(highest, *table.score);
        W positives = 0, negatives = 0;
        bool ended = false;
        for (auto& table : tables) {
            const bool equal = *table.score == highest;
            positives += equal ? *table.positive : W(0);
            negatives += equal ? *table.negative : W(0);
            if (equal && table.size == 1)
                ended = true, table.size = 0;
            else
                table.score += equal, table.positive += equal, table.negative += equal, table.size -= equal;
        }
        score[row] = highest, positive[row] = positives, negative[row] = negatives;
        ++row;
        if (ended) std::erase_if(tables, [](const auto& table) { return !table.size; });
    }
    for (const auto& last : tables) {
        std::copy_n(last.score, last.size, score + row);
        std::copy_n(last.positive, last.size, positive + row);
        std::copy_n(last.negative, last.size, negative + row);
        row += last.size;
    }
    return row;
}

// Twice the weight of the pairs (a positive, a negative) in which the positive scores higher; a tie counts once.
// Whole numbers stay exact: with 2^31 rows the sum is below 2^62.
template <typename W>
W concordance(const W* positive, const W* negative, std::size_t size) {
    Sum<W> positives_above;
    W total = 0;
    std::uint64_t digits[digits_of_all] = {};
    for (std::size_t row = 0; row < size; ++row) {
        const W pairs = negative[row] * (2 * positives_above.total() + positive[row]);
        if constexpr (std::is_floating_point_v<W>)
            add_exactly(digits, pairs);
        else
            total += pairs;
        positives_above.add(positive[row]);
    }
    if constexpr (std::is_floating_point_v<W>) total = rounded(digits, digits_of_all);
    return total;
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
