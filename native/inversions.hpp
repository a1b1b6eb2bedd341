// inversions: the number of pairs of values in descending order, by merge sort; for Kendall's tau.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace tallymark {

constexpr std::size_t inserted = 16;  // values of a run that is sorted by insertion

// Sorts [first, last) by insertion: the number of steps.
template <typename T>
std::uint64_t insertion_steps(T* first, T* last) {
    std::uint64_t steps = 0;
    for (T* next = first; next < last; ++next) {
        const T value = *next;
        T* place = next;
        for (; place > first && place[-1] > value; --place) *place = place[-1];
        *place = value;
        steps += static_cast<std::uint64_t>(next - place);
    }
    return steps;
}

// Merges two sorted runs: the number of pairs in which the value of the first run is larger. No branch depends on the values.
template <typename T>
std::uint64_t merge_runs(const T* a, const T* a_end, const T* b, const T* b_end, T* out) {
    std::uint64_t pairs = 0;
    while (a < a_end && b < b_end) {
        const bool second = *b < *a;
        *out++ = second ? *b : *a;
        pairs += static_cast<std::uint64_t>(a_end - a) & -static_cast<std::uint64_t>(second);
        a += !second;
        b += second;
    }
    std::copy(b, b_end, std::copy(a, a_end, out));
    return pairs;
}

// values are overwritten; room: for as many.
template <typename T>
std::uint64_t inversions(T* values, T* room, std::size_t size) {
    std::uint64_t found = 0;
    for (std::size_t start = 0; start < size; start += inserted)
        found += insertion_steps(values + start, values + std::min(start + inserted, size));
    for (std::size_t length = inserted; length < size; length *= 2) {
        for (std::size_t start = 0; start < size; start += 2 * length) {
            const T *middle = values + std::min(start + length, size), *end = values + std::min(start + 2 * length, size);
            found += merge_runs(values + start, middle, middle, end, room + start);
        }
        std::swap(values, room);
    }
    return found;
}

}  // namespace tallymark
