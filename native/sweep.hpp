// sweep: running sums along the rows of a table, and what is left of each row, for several rows together: one sum waits for the last.
#pragma once
#include <cstddef>

#include "column.hpp"

namespace tallymark {

constexpr std::size_t rows_together = 8;

// weight: Rows rows of `size`. above, rest: rows of size + 1; above starts with 0, and above + rest is the sum of the row.
template <std::size_t Rows>
TALLYMARK_CLONES void running(const double* weight, std::size_t size, double* above, double* rest) {
    double sum[Rows] = {};
    for (std::size_t r = 0; r < Rows; ++r) above[r * (size + 1)] = 0.0;
    for (std::size_t i = 0; i < size; ++i)
        for (std::size_t r = 0; r < Rows; ++r) above[r * (size + 1) + i + 1] = sum[r] += weight[r * size + i];
    for (std::size_t r = 0; r < Rows; ++r) {
        const double all = sum[r];
        const double* of = above + r * (size + 1);
        double* left = rest + r * (size + 1);
        for (std::size_t i = 0; i <= size; ++i) left[i] = all - of[i];
    }
}

inline void sweep(const double* weight, std::size_t rows, std::size_t size, double* above, double* rest) {
    std::size_t row = 0;
    for (; row + rows_together <= rows; row += rows_together)
        running<rows_together>(weight + row * size, size, above + row * (size + 1), rest + row * (size + 1));
    for (; row < rows; ++row) running<1>(weight + row * size, size, above + row * (size + 1), rest + row * (size + 1));
}

}  // namespace tallymark
