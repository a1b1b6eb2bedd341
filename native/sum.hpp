// Sums of weights, compensated where they are floats.
#pragma once
#include <cmath>
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

}  // namespace tallymark
