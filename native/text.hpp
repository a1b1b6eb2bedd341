// rows_of_text: numbers as lines of CSV. A float is written as Python's repr writes it: the shortest digits that are read as the same
// number, without an exponent from 1e-4 to below 1e16; NaN is an empty field.
#pragma once
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

namespace tallymark {

constexpr std::size_t longest_number = 32;  // characters, and more than any takes
constexpr int least_fixed = -4, most_fixed = 16;  // decimal places before the point

// A column of floats or of whole numbers; the text of its last number, since curves have many equal ones in succession.
struct TextColumn {
    const double* number;
    const std::int64_t* whole;
    char text[longest_number] = {};
    std::size_t size = 0;
    double last = std::nan("");
    bool any = false;
};

inline char* append(char* at, const char* text, std::size_t size) {
    std::memcpy(at, text, size);
    return at + size;
}

// digits * 10^(exponent - count + 1) as a text at `at`; returns its end.
inline char* write_digits(char* at, const char* digits, int count, int exponent) {
    const int point = exponent + 1;  // digits before it
    if (point <= least_fixed || point > most_fixed) {
        *at++ = *digits;
        if (count > 1) {
            *at++ = '.';
            at = append(at, digits + 1, count - 1);
        }
        *at++ = 'e';
        *at++ = exponent < 0 ? '-' : '+';
        const int size = std::abs(exponent);
        if (size < 10) *at++ = '0';
        return std::to_chars(at, at + 4, size).ptr;
    }
    if (point <= 0) {
        at = append(at, "0.", 2);
        at = std::fill_n(at, -point, '0');
        return append(at, digits, count);
    }
    const int before = std::min(point, count);
    at = append(at, digits, before);
    at = std::fill_n(at, point - before, '0');
    *at++ = '.';
    if (before == count) *at++ = '0';
    return append(at, digits + before, count - before);
}

// As d.ddde+xx.
inline const char* write_shortest(char* at, double number) {
#ifdef __cpp_lib_to_chars
    return std::to_chars(at, at + longest_number, number, std::chars_format::scientific).ptr;
#else  // an older library
    for (int places = 0;; ++places) {
        const int size = std::snprintf(at, longest_number, "%.*e", places, number);
        if (places == 16 || std::strtod(at, nullptr) == number) return at + size;
    }
#endif
}

inline char* write_number(char* at, double number) {
    if (std::isnan(number)) return at;
    if (std::isinf(number)) return number < 0 ? append(at, "-inf", 4) : append(at, "inf", 3);
    char shortest[longest_number];
    const char* end = write_shortest(shortest, number);
    const char* from = shortest;
    if (*from == '-') *at++ = *from++;
    const char* mark = std::find(from, end, 'e');
    char digits[longest_number];
    int count = 0, exponent = 0;
    for (const char* one = from; one != mark; ++one)
        if (*one != '.') digits[count++] = *one;
    std::from_chars(mark + (mark[1] == '+' ? 2 : 1), end, exponent);
    return write_digits(at, digits, count, exponent);
}

inline char* write_field(char* at, TextColumn& column, std::size_t row) {
    if (column.whole) return std::to_chars(at, at + longest_number, column.whole[row]).ptr;
    const double number = column.number[row];
    // of equal numbers 0.0 and -0.0 differ
    if (!column.any || number != column.last || std::signbit(number) != std::signbit(column.last)) {
        column.size = static_cast<std::size_t>(write_number(column.text, number) - column.text);
        column.last = number;
        column.any = true;
    }
    return append(at, column.text, column.size);
}

inline std::string rows_of_text(std::vector<TextColumn>& columns, std::size_t first, std::size_t last) {
    std::string found((last - first) * columns.size() * longest_number, '\0');
    char* at = found.data();
    for (std::size_t row = first; row < last; ++row) {
        for (std::size_t c = 0; c < columns.size(); ++c) {
            if (c) *at++ = ',';
            at = write_field(at, columns[c], row);
        }
        *at++ = '\n';
    }
    found.resize(static_cast<std::size_t>(at - found.data()));
    return found;
}

}  // namespace tallymark
