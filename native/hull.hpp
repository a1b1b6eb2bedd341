// hull: the corners of the ROC curve's upper convex hull, by one walk with a stack (Andrew's monotone chain).
#pragma once
#include <cstddef>
#include <cstdint>

namespace tallymark {

// tp, fp: the sweep, both rising from 0. The corners, of which the first and the last point are two; returns how many there are.
inline std::size_t corners(const double* tp, const double* fp, std::size_t size, std::int64_t* corner) {
    if (size == 0) return 0;
    std::size_t top = 0;  // of a stack: a corner is never further down than its own index
    corner[0] = 0;
    for (std::size_t i = 1; i < size; ++i) {
        while (top >= 1) {
            const std::size_t a = static_cast<std::size_t>(corner[top - 1]), b = static_cast<std::size_t>(corner[top]);
            const double turn = (fp[b] - fp[a]) * (tp[i] - tp[a]) - (tp[b] - tp[a]) * (fp[i] - fp[a]);
            if (turn < 0) break;
            --top;
        }
        corner[++top] = static_cast<std::int64_t>(i);
    }
    return top + 1;
}

// corner[i]: the last corner at or before point i.
inline void hull(const double* tp, const double* fp, std::size_t size, std::int64_t* corner) {
    if (size == 0) return;
    std::size_t top = corners(tp, fp, size, corner) - 1;
    // Spread from the end, so that no stack entry is overwritten before it is read.
    for (std::size_t i = size; i-- > 0;) {
        const std::int64_t last = corner[top];
        corner[i] = last;
        if (static_cast<std::size_t>(last) == i && top > 0) --top;
    }
}

}  // namespace tallymark
