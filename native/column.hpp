// A one-dimensional array of any numeric type, as the kernels see it: no Python here.
#pragma once
#include <cstddef>
#include <cstdint>

// The hot loops are compiled for three instruction sets; the loader picks one (GCC on x86-64 Linux).
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__) && !defined(TALLYMARK_PLAIN)
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

constexpr std::size_t no_row = static_cast<std::size_t>(-1);

}  // namespace tallymark
