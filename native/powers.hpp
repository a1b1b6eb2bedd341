// powers, polynomials: weighted sums of the powers of a value, and of Chebyshev polynomials, over consecutive entries.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "column.hpp"

namespace tallymark {

constexpr std::size_t sums_at_once = 8;  // sums that do not wait for each other
constexpr std::size_t powers_of = 5, polynomials_of = 10;

// As many sums, side by side. In registers: GCC keeps arrays of them in memory.
#if defined(__GNUC__)
using Doubles = double __attribute__((vector_size(sizeof(double) * sums_at_once)));
#else
struct Doubles {
    double lane[sums_at_once] = {};
    template <typename F>
    static Doubles of(F&& f) {
        Doubles found;
        for (std::size_t l = 0; l < sums_at_once; ++l) found.lane[l] = f(l);
        return found;
    }
    double operator[](std::size_t l) const { return lane[l]; }
    double& operator[](std::size_t l) { return lane[l]; }
    Doubles operator+(const Doubles& b) const { return of([&](std::size_t l) { return lane[l] + b[l]; }); }
    Doubles operator-(const Doubles& b) const { return of([&](std::size_t l) { return lane[l] - b[l]; }); }
    Doubles operator*(const Doubles& b) const { return of([&](std::size_t l) { return lane[l] * b[l]; }); }
    Doubles operator-(double b) const { return of([&](std::size_t l) { return lane[l] - b; }); }
    Doubles operator*(double b) const { return of([&](std::size_t l) { return lane[l] * b; }); }
    Doubles& operator+=(const Doubles& b) { return *this = *this + b; }
    Doubles& operator*=(const Doubles& b) { return *this = *this * b; }
};
#endif

// Of entries [first, last): calls block(at, count) for `sums_at_once` entries at a time, of which the last time `count` are left.
template <typename Block>
inline void in_lanes(std::size_t first, std::size_t last, Block&& block) {
    std::size_t at = first;
    for (; at + sums_at_once <= last; at += sums_at_once) block(at, sums_at_once);
    if (at < last) block(at, last - at);
}

inline double of_lanes(const Doubles& sum) {
    return ((sum[0] + sum[1]) + (sum[2] + sum[3])) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
}

// The entries from `at` on, with `rest` after the last one.
inline void load(const double* values, std::size_t at, std::size_t count, Doubles& lanes, double rest = 0.0) {
    if (count == sums_at_once) {
        std::memcpy(static_cast<void*>(&lanes), values + at, sizeof lanes);
        return;
    }
    for (std::size_t l = 0; l < sums_at_once; ++l) lanes[l] = l < count ? values[at + l] : rest;
}

// The weighted mean of the values; 0 without weight.
TALLYMARK_CLONES inline double mean_of(const double* values, const double* weight, std::size_t first, std::size_t last) {
    Doubles total{}, sum{}, v, w;
    in_lanes(first, last, [&](std::size_t at, std::size_t count) {
        load(values, at, count, v);
        load(weight, at, count, w);
        total += w;
        sum += w * v;
    });
    const double all = of_lanes(total);
    return all > 0 ? of_lanes(sum) / all : 0.0;
}

// The largest distance to the mean; NaN if one is not finite.
TALLYMARK_CLONES inline double farthest(const double* values, std::size_t first, std::size_t last, double mean) {
    double largest[sums_at_once] = {}, odd[sums_at_once] = {};
    in_lanes(first, last, [&](std::size_t at, std::size_t count) {
        double off[sums_at_once];
        for (std::size_t l = 0; l < count; ++l) off[l] = std::fabs(values[at + l] - mean);
        for (std::size_t l = 0; l < count; ++l) {
            largest[l] = off[l] > largest[l] ? off[l] : largest[l];
            odd[l] += off[l] - off[l];  // NaN for infinity
        }
    });
    double sum = 0.0;
    for (const double one : odd) sum += one;
    return *std::max_element(largest, largest + sums_at_once) + sum;
}

// A power of two that no distance to the mean of its part reaches; 1 if all are 0, or one is not finite. starts: of `parts` parts.
inline double unit_of(const double* values, std::size_t size, const std::int64_t* starts, std::size_t parts, const double* mean) {
    double largest = 0.0;
    for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t last = part + 1 < parts ? static_cast<std::size_t>(starts[part + 1]) : size;
        const double found = farthest(values, static_cast<std::size_t>(starts[part]), last, mean[part]);
        if (!(found < INFINITY)) return 1.0;
        largest = std::max(largest, found);
    }
    if (largest == 0.0) return 1.0;
    int exponent = 0;
    std::frexp(largest, &exponent);
    return std::ldexp(1.0, std::clamp(exponent, -1021, 1023));  // also the reciprocal is finite
}

// The sums of weight * ((value - mean) / unit)^power, power 0 to 4, of entries [first, last).
TALLYMARK_CLONES inline void powers_about(const double* values, const double* weight, std::size_t first, std::size_t last, double mean,
                                          double unit, double* sums) {
    const double inverse = 1.0 / unit;  // of a power of two: exact
    Doubles sum[powers_of] = {}, off, product;
    in_lanes(first, last, [&](std::size_t at, std::size_t count) {
        load(values, at, count, off, mean);
        load(weight, at, count, product);
        off = (off - mean) * inverse;
        for (std::size_t power = 0; power < powers_of; ++power) {
            sum[power] += product;
            product *= off;
        }
    });
    for (std::size_t power = 0; power < powers_of; ++power) sums[power] = of_lanes(sum[power]);
}

// weight: `rows` rows of `size`. mean: of each part by the first row; sums: (rows, parts, 5). Returns the unit.
inline double powers(const double* values, std::size_t size, const double* weight, std::size_t rows, const std::int64_t* starts,
                     std::size_t parts, double* mean, double* sums) {
    const auto end = [&](std::size_t part) { return part + 1 < parts ? static_cast<std::size_t>(starts[part + 1]) : size; };
    for (std::size_t part = 0; part < parts; ++part)
        mean[part] = mean_of(values, weight, static_cast<std::size_t>(starts[part]), end(part));
    const double unit = unit_of(values, size, starts, parts, mean);
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t part = 0; part < parts; ++part)
            powers_about(values, weight + row * size, static_cast<std::size_t>(starts[part]), end(part), mean[part], unit,
                         sums + (row * parts + part) * powers_of);
    return unit;
}

// The sums of weight * T_degree(z), degree 0 to 9, of entries [first, last).
TALLYMARK_CLONES inline void polynomials_in(const double* z, const double* weight, std::size_t first, std::size_t last, double* sums) {
    Doubles sum[polynomials_of] = {}, x, w, before, now;
    in_lanes(first, last, [&](std::size_t at, std::size_t count) {
        load(z, at, count, x);
        load(weight, at, count, w);
        load(z, at, 0, now, 1.0);
        before = x;  // T_-1 = T_1
        for (std::size_t degree = 0; degree < polynomials_of; ++degree) {
            sum[degree] += w * now;
            const Doubles next = x * 2.0 * now - before;
            before = now;
            now = next;
        }
    });
    for (std::size_t degree = 0; degree < polynomials_of; ++degree) sums[degree] = of_lanes(sum[degree]);
}

// weight: `rows` rows of `size`. sums: (parts, rows, 10).
inline void polynomials(const double* z, std::size_t size, const double* weight, std::size_t rows, const std::int64_t* starts,
                        std::size_t parts, double* sums) {
    for (std::size_t part = 0; part < parts; ++part) {
        const std::size_t last = part + 1 < parts ? static_cast<std::size_t>(starts[part + 1]) : size;
        for (std::size_t row = 0; row < rows; ++row)
            polynomials_in(z, weight + row * size, static_cast<std::size_t>(starts[part]), last,
                           sums + (part * rows + row) * polynomials_of);
    }
}

}  // namespace tallymark
