// Sums of weights that are exact and rounded once, at the end: so the order of the rows makes no difference, nor does the kind of
// kernel. A sum is held as a whole number of units of 2^-1074 in digits of 32 bits. Source: Neal (2015), arXiv:1505.05571.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace tallymark {

constexpr std::size_t digit_bits = 32, digits_of_a_weight = 3, digits_of_all = 68;  // 68: of any sum of doubles
constexpr std::uint64_t digit_mask = 0xFFFFFFFF;

// The lowest digit that a double >= 0 reaches; it reaches two more.
inline std::size_t lowest_digit(double value) {
    const std::uint64_t exponent = std::bit_cast<std::uint64_t>(value) << 1 >> 53;  // without the sign, which -0 has
    return (exponent - (exponent != 0)) / digit_bits;
}

// Adds a finite double >= 0 to digits, of which the first is the digit `first` of the whole. Nothing is carried: there is room for
// 2^31 of them.
inline void add_exactly(std::uint64_t* digits, double value, std::size_t first = 0) {
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(value), exponent = bits << 1 >> 53, normal = exponent != 0;
    const std::uint64_t mantissa = (bits & ((std::uint64_t(1) << 52) - 1)) | normal << 52, position = exponent - normal;
    const std::uint64_t shift = position % digit_bits;
    std::uint64_t* at = digits + (position / digit_bits - first);
    at[0] += mantissa << shift & digit_mask;
    at[1] += mantissa >> (digit_bits - shift) & digit_mask;
    at[2] += mantissa >> digit_bits >> (digit_bits - shift);
}

// The nearest double, a tie going to the even one. Carries are left in the digits.
inline double rounded(std::uint64_t* digits, std::size_t size, std::size_t first = 0) {
    std::uint64_t carry = 0;
    for (std::size_t i = 0; i < size; ++i) {
        carry += digits[i];
        digits[i] = carry & digit_mask;
        carry >>= digit_bits;
    }
    std::size_t top = size;
    while (top > 0 && digits[top - 1] == 0) --top;
    if (top == 0) return 0.0;
    const auto digit = [&](std::size_t below) { return top > below ? digits[top - 1 - below] : 0; };
    std::uint64_t lead = digit(0) << digit_bits | digit(1);
    const int free = std::countl_zero(lead);  // below 32
    lead = lead << free | digit(2) >> (static_cast<int>(digit_bits) - free);
    // What lies below the 64 leading bits matters to rounding only in so far as there is something.
    const bool rest = (digit(2) << free & digit_mask) != 0 ||
                      std::any_of(digits, digits + (top > 3 ? top - 3 : 0), [](std::uint64_t below) { return below != 0; });
    const auto low_bit = static_cast<int>(digit_bits * (top + first)) - 2 * static_cast<int>(digit_bits) - free - 1074;
    return std::ldexp(static_cast<double>(lead | static_cast<std::uint64_t>(rest)), low_bit);
}

// A sum that is taken and begun again many times.
class Exact {
  public:
    void add(double value) {
        add_exactly(digits, value);
        const std::size_t low = lowest_digit(value);
        least = std::min(least, low);
        most = std::max(most, low + digits_of_a_weight + 1);  // one for carries
    }
    // The sum, after which it is 0 again.
    double take() {
        if (most == 0) return 0.0;
        const double sum = rounded(digits + least, most - least, least);
        std::fill(digits + least, digits + most, 0);
        least = digits_of_all;
        most = 0;
        return sum;
    }

  private:
    std::uint64_t digits[digits_of_all] = {};
    std::size_t least = digits_of_all, most = 0;
};

// Equal scores that follow each other become one, with the sum of their weights. Returns how many are left.
template <typename S>
std::size_t sum_ties(S* score, double* weight, std::size_t size) {
    Exact sum;
    std::size_t left = 0;
    for (std::size_t start = 0, end; start < size; start = end) {
        for (end = start + 1; end < size && score[end] == score[start];) ++end;
        double total = weight[start];
        if (end == start + 2) total += weight[start + 1];  // one addition is rounded once
        if (end > start + 2) {
            for (std::size_t i = start; i < end; ++i) sum.add(weight[i]);
            total = sum.take();
        }
        score[left] = score[start];
        weight[left++] = total;
    }
    return left;
}

inline double total(const double* weight, std::size_t size) {
    std::uint64_t digits[digits_of_all] = {};
    for (std::size_t i = 0; i < size; ++i) add_exactly(digits, weight[i]);
    return rounded(digits, digits_of_all);
}

// Of the weights, and of their squares, each of which is rounded.
inline std::pair<double, double> moments(const double* weight, std::size_t size) {
    std::uint64_t digits[digits_of_all] = {}, of_squares[digits_of_all] = {};
    for (std::size_t i = 0; i < size; ++i) {
        add_exactly(digits, weight[i]);
        add_exactly(of_squares, weight[i] * weight[i]);
    }
    return {rounded(digits, digits_of_all), rounded(of_squares, digits_of_all)};
}

// out[p]: the sum of the weights at place p. digits: zeros, `window` for each place, the first being the digit `first`.
inline void sums(const std::int64_t* place, const double* weight, std::size_t size, std::uint64_t* digits, std::size_t window,
                 std::size_t first, double* out, std::size_t places) {
    for (std::size_t i = 0; i < size; ++i)
        if (weight[i] > 0) add_exactly(digits + static_cast<std::size_t>(place[i]) * window, weight[i], first);
    for (std::size_t p = 0; p < places; ++p) out[p] = rounded(digits + p * window, window, first);
}

}  // namespace tallymark
