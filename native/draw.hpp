// draw: how often each case is drawn in a bootstrap resample, as bytes.
//
// In a resample of n of n cases a case is drawn about Poisson(1) times. So every case gets a Poisson number of draws first, with a
// mean a little below 1, and the draws that are missing then fall on cases at random: given their sum, independent Poisson numbers are
// multinomial, so that the whole is exactly multinomial. If the first draws are too many (once in 30,000 resamples), all are drawn
// again.
//
// A block of cases of a replicate has a stream of random numbers of its own, from a seed and the numbers of both: threads, chunks and
// the order of work make no difference.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "column.hpp"

namespace tallymark {

constexpr std::size_t cases_in_block = 4096;

constexpr std::uint64_t golden = 0x9E3779B97F4A7C15ULL;

// The finalizer of SplitMix64 (Steele, Lea and Flood 2014): one random number per counter.
inline std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

inline std::uint64_t stream(std::uint64_t seed, std::uint64_t replicate, std::uint64_t block) {
    return mixed(mixed(mixed(seed + golden) + replicate * golden) + block * golden);
}

// A number from 0 to size - 1 for 64 random bits: the high half of their product. size: below 2^32.
inline std::uint64_t below(std::uint64_t random, std::uint64_t size) {
    return ((random >> 32) * size + ((random & 0xFFFFFFFF) * size >> 32)) >> 32;
}

constexpr std::size_t lanes = 16, cases_in_step = 2 * lanes, cases_in_chunk = 8 * cases_in_step;

// xoshiro128++ (Blackman and Vigna 2021), once in each of 16 lanes.
struct Lanes {
    std::uint32_t a[lanes], b[lanes], c[lanes], d[lanes];

    explicit Lanes(std::uint64_t key) {
        std::uint32_t* const state[4] = {a, b, c, d};
        for (std::size_t i = 0; i < 2 * lanes; ++i) {
            const std::uint64_t both = mixed(key + (i + 1) * golden);
            state[i / 8][2 * (i % 8)] = static_cast<std::uint32_t>(both);
            state[i / 8][2 * (i % 8) + 1] = static_cast<std::uint32_t>(both >> 32);
        }
    }
};

// 16 random bits for each of the first cases of a block: of each step of the lanes the low halves, then the high halves.
TALLYMARK_CLONES inline void fill_random(std::uint64_t key, std::size_t size, std::uint16_t* random) {
    Lanes state(key);
    for (std::size_t i = 0; i < size; i += cases_in_step)
        for (std::size_t l = 0; l < lanes; ++l) {
            const std::uint32_t a = state.a[l], b = state.b[l], c = state.c[l] ^ a, d = state.d[l] ^ b, sum = a + state.d[l];
            const std::uint32_t number = (sum << 7 | sum >> 25) + a;
            state.b[l] = b ^ c;
            state.a[l] = a ^ d;
            state.c[l] = c ^ b << 9;
            state.d[l] = d << 11 | d >> 21;
            random[i + l] = static_cast<std::uint16_t>(number);
            random[i + lanes + l] = static_cast<std::uint16_t>(number >> 16);
        }
}

// A number of draws from 16 random bits of a case: how many of the usual limits they reach, which are the probabilities of no more than
// 0, 1, 2, ... draws, each rounded down, so that the bits of a few cases reach all. These get 32 bits more, and the rare limits: the
// probabilities of no more than 0, 1, 2, ... draws of such a case.
constexpr std::size_t usual_limits = 7, rare_limits = 13, limits = usual_limits + rare_limits;

inline std::uint8_t rare(std::uint64_t key, const std::uint32_t* limit, std::size_t i) {
    const auto more = static_cast<std::uint32_t>(mixed(key - (i + 1) * golden));
    std::uint8_t above = 0;
    for (std::size_t k = 0; k < rare_limits; ++k) above += more >= limit[k];
    return above;
}

// Writes the numbers of a block of `size` cases, and returns their sum.
TALLYMARK_CLONES inline std::uint32_t draw_poisson_block(std::uint64_t key, const std::uint32_t* limit, std::size_t size,
                                                         std::uint8_t* times) {
    std::uint16_t usual[usual_limits], random[cases_in_block];
    std::uint8_t number[cases_in_block];
    for (std::size_t k = 0; k < usual_limits; ++k) usual[k] = static_cast<std::uint16_t>(limit[k]);
    fill_random(key, (size + cases_in_chunk - 1) / cases_in_chunk * cases_in_chunk, random);
    std::uint32_t sum = 0;
    for (std::size_t start = 0; start < size; start += cases_in_chunk) {
        std::uint16_t most = 0, of_chunk = 0;
        for (std::size_t i = start; i < start + cases_in_chunk; ++i) {
            std::uint16_t above = 0;
            for (std::size_t k = 0; k < usual_limits; ++k) above += random[i] >= usual[k];
            most = above > most ? above : most;
            of_chunk += above;
            number[i] = static_cast<std::uint8_t>(above);
        }
        const std::size_t end = std::min(size, start + cases_in_chunk);
        if (most == usual_limits || end < start + cases_in_chunk) {
            of_chunk = 0;
            for (std::size_t i = start; i < end; ++i) {
                if (number[i] == usual_limits) number[i] = rare(key, limit + usual_limits, i);
                of_chunk += number[i];
            }
        }
        sum += of_chunk;
    }
    std::memcpy(times, number, size);
    return sum;
}

// The first numbers of a class: it is the `part`-th attempt of the class, and has streams of its own. Returns their sum.
inline std::uint64_t draw_poisson(std::uint64_t seed, std::uint64_t replicate, std::uint64_t part, const std::uint32_t* limit,
                                  std::size_t size, std::uint8_t* times) {
    std::uint64_t sum = 0;
    for (std::size_t start = 0, block = 0; start < size; start += cases_in_block, ++block)
        sum += draw_poisson_block(stream(seed, replicate, part << 32 | block), limit, std::min(cases_in_block, size - start),
                                  times + start);
    return sum;
}

constexpr std::uint64_t last_stream = 0xFFFFFFFF;  // beyond the blocks

// As many draws as there are cases, all in all. limit: of a mean below 1, or of 0: all draws fall on cases at random.
inline void draw_class(std::uint64_t seed, std::uint64_t replicate, std::uint64_t part, const std::uint32_t* limit, std::size_t size,
                       std::uint8_t* times) {
    std::uint64_t drawn = 0;
    if (limit[0] >> 16)
        std::memset(times, 0, size);
    else
        for (drawn = draw_poisson(seed, replicate, part, limit, size, times); drawn > size; part += 2)
            drawn = draw_poisson(seed, replicate, part + 2, limit, size, times);
    std::uint64_t counter = stream(seed, replicate, part << 32 | last_stream);
    for (; drawn < size; ++drawn) {
        counter += golden;
        ++times[below(mixed(counter), size)];
    }
}

// times[i]: how often case i is drawn. limit: a row per class; sizes: of each of at most two classes; place: the cases of the first
// class, then those of the second, or null: all are of one. room: for as many bytes as there are cases, if there are places.
inline void draw(std::uint64_t seed, std::uint64_t replicate, const std::uint32_t* limit, const std::int64_t* sizes, std::size_t classes,
                 const std::uint32_t* place, std::uint8_t* room, std::uint8_t* times) {
    std::uint8_t* const drawn = place ? room : times;
    std::size_t size = 0;
    for (std::size_t c = 0; c < classes; ++c) {
        draw_class(seed, replicate, c, limit + c * limits, static_cast<std::size_t>(sizes[c]), drawn + size);
        size += static_cast<std::size_t>(sizes[c]);
    }
    if (place)
        for (std::size_t i = 0; i < size; ++i) times[place[i]] = drawn[i];
}

}  // namespace tallymark
