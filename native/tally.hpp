// tally: two columns of labels to four weights, in one pass and without a temporary copy.
//
// Each label type is turned, a block at a time, into bytes "is positive" that stay in the first-level cache.
// So there is one loop per type, not one per pair of types, and the loop that counts exists once.
#pragma once
#include <algorithm>

#include "column.hpp"
#include "sum.hpp"

namespace tallymark {

constexpr std::size_t block_rows = 2048;

struct Weights {
    double tp = 0, fp = 0, fn = 0, tn = 0;
};

// The two labels of a column: the positive one is given, the negative one is the first other label met.
template <typename T>
struct Labels {
    T positive;
    T negative;
    bool has_negative;

    Labels(const Column<T>& label, T positive_label) : positive(positive_label), negative(positive_label) {
        std::size_t row = 0;
        while (row < label.size && label[row] == positive) ++row;
        has_negative = row < label.size;
        if (has_negative) negative = label[row];
    }
};

// out[i] = 1 where the label is positive; the answer says whether some label is neither of the two.
template <typename T>
TALLYMARK_CLONES bool mark_contiguous(const T* label, std::size_t size, T positive, T negative, std::uint8_t* out) {
    std::uint8_t stray = 0;
    for (std::size_t i = 0; i < size; ++i) {
        const std::uint8_t hit = label[i] == positive;
        const std::uint8_t miss = label[i] == negative;
        out[i] = hit;
        stray |= static_cast<std::uint8_t>(!(hit | miss));
    }
    return stray != 0;
}

template <typename T>
bool mark(const Column<T>& label, std::size_t start, std::size_t size, const Labels<T>& labels, std::uint8_t* out) {
    if (label.stride == 1)
        return mark_contiguous(label.data + start, size, labels.positive, labels.negative, out);
    bool stray = false;
    for (std::size_t i = 0; i < size; ++i) {
        const T value = label[start + i];
        out[i] = value == labels.positive;
        stray |= value != labels.positive && value != labels.negative;
    }
    return stray;
}

struct BlockCounts {
    std::uint32_t both = 0, truth = 0, predicted = 0;
};

TALLYMARK_CLONES inline BlockCounts count_block(const std::uint8_t* truth, const std::uint8_t* predicted, std::size_t size) {
    std::uint32_t both = 0, in_truth = 0, in_predicted = 0;
    for (std::size_t i = 0; i < size; ++i) {
        both += truth[i] & predicted[i];
        in_truth += truth[i];
        in_predicted += predicted[i];
    }
    return {both, in_truth, in_predicted};
}

inline void add_counts(const std::uint8_t* truth, const std::uint8_t* predicted, std::size_t size, Weights& total) {
    const BlockCounts n = count_block(truth, predicted, size);
    total.tp += n.both;
    total.fp += n.predicted - n.both;
    total.fn += n.truth - n.both;
    total.tn += static_cast<double>(size) - n.truth - n.predicted + n.both;
}

inline void add_weights(const std::uint8_t* truth, const std::uint8_t* predicted, const Column<double>& weight,
                        std::size_t start, std::size_t size, Sum<double>* sum) {
    for (std::size_t i = 0; i < size; ++i) sum[2 * truth[i] + predicted[i]].add(weight[start + i]);
}

// Returns false as soon as a block holds a label that is neither positive nor negative: the caller then looks for it.
template <typename T, typename P>
bool tally(const Column<T>& truth, const Column<P>& predicted, const Column<double>* weight, const Labels<T>& true_labels,
           const Labels<P>& predicted_labels, Weights& total) {
    std::uint8_t true_mark[block_rows], predicted_mark[block_rows];
    Sum<double> sum[4];
    for (std::size_t start = 0; start < truth.size; start += block_rows) {
        const std::size_t size = std::min(block_rows, truth.size - start);
        if (mark(truth, start, size, true_labels, true_mark)) return false;
        if (mark(predicted, start, size, predicted_labels, predicted_mark)) return false;
        if (weight)
            add_weights(true_mark, predicted_mark, *weight, start, size, sum);
        else
            add_counts(true_mark, predicted_mark, size, total);
    }
    double* cells[4] = {&total.tn, &total.fp, &total.fn, &total.tp};
    if (weight)
        for (std::size_t cell = 0; cell < 4; ++cell) *cells[cell] = sum[cell].total();
    return true;
}

}  // namespace tallymark
