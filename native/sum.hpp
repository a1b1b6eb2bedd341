// Sums of weights, compensated where they are floats.
#pragma once
#include <cmath>
#include <cstddef>
#include <type_traits>

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

// Equal scores that follow each other become one, with the sum of their weights. Returns how many are left.
template <typename S>
std::size_t sum_ties(S* score, double* weight, std::size_t size) {
    std::size_t left = 0;
    for (std::size_t start = 0, end; start < size; start = end) {
        Sum<double> sum;
        for (end = start; end < size && score[end] == score[start]; ++end) sum.add(weight[end]);
        score[left] = score[start];
        weight[left++] = sum.total();
    }
    return left;
}

}  // namespace tallymark
