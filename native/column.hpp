// A one-dimensional array of any numeric type, as the kernels see it: no Python here.
#pragma once
#include <cstddef>
#include <cstdint>

// NaN scores are found by comparison and sums are compensated, neither of which fast arithmetic leaves in place.
#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || defined(__ASSOCIATIVE_MATH__) || defined(_M_FP_FAST)
#error "Tallymark's kernels need exact arithmetic: build without -ffast-math, -Ofast, -ffinite-math-only, -fassociative-math, /fp:fast."
#endif

// The hot loops are compiled for three instruction sets, and the loader picks one, where CMakeLists.txt finds that this can be done.
#if defined(TALLYMARK_CLONED) && !defined(TALLYMARK_PLAIN)
#define TALLYMARK_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define TALLYMARK_CLONES
#endif

namespace tallymark {

template <typename T>
struct Column {
    const T* data;
    std::size_t size;
    std::ptrdiff_t stride;  // in elements; 1 when the array is contiguous

    T operator[](std::size_t row) const { return data[static_cast<std::ptrdiff_t>(row) * stride]; }
};

#if defined(TALLYMARK_CLONED) && !defined(TALLYMARK_PLAIN)
constexpr bool cloned = true;
#else
constexpr bool cloned = false;
#endif

constexpr std::size_t no_row = static_cast<std::size_t>(-1);

}  // namespace tallymark
