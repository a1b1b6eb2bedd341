// curve_sums: what a block of a ranking table adds to the sums along its curves, which start at the counts above it.
#pragma once
#include <algorithm>
#include <cstddef>

namespace tallymark {

constexpr std::size_t added_at_once = 1 << 10;  // rows, summed apart: so errors of rounding stay small

// concordant, discordant, tied: of pairs with cases above the block, or in it; precision: over the positives. By class (positives,
// negatives) the squared weights, and of the share of the other class that is ranked correctly, a tie counting one half, the mean and
// the sum of squared distances to it, weighted by them.
struct CurveSums {
    double concordant = 0, discordant = 0, tied = 0, precision = 0;
    double squares[2] = {}, mean[2] = {}, spread[2] = {};
};

// Calls each(row, positive, negative, true positives down to the row, false positives), with `end` after every `added_at_once` rows.
template <typename W, typename Each, typename End>
inline void down(const W* positive, const W* negative, std::size_t size, double tp, double fp, Each&& each, End&& end) {
    for (std::size_t start = 0; start < size; start += added_at_once) {
        const std::size_t stop = std::min(size, start + added_at_once);
        for (std::size_t i = start; i < stop; ++i) {
            const double p = static_cast<double>(positive[i]), n = static_cast<double>(negative[i]);
            tp += p;
            fp += n;
            each(i, p, n, tp, fp);
        }
        end();
    }
}

// squares: the sums of squared weights by class, null where they are the weights; positives, negatives: of the whole table.
template <typename W>
CurveSums curve_sums(const W* positive, const W* negative, const double* const* squares, std::size_t size, double tp, double fp,
                     double positives, double negatives) {
    CurveSums all, part;
    const auto beaten = [=](double n, double false_positives) { return (negatives - false_positives + n / 2) / negatives; };
    const auto beating = [=](double p, double true_positives) { return (true_positives - p / 2) / positives; };
    down(
        positive, negative, size, tp, fp,
        [&](std::size_t i, double p, double n, double true_positives, double false_positives) {
            part.concordant += n * (true_positives - p);
            part.discordant += p * (false_positives - n);
            part.tied += p * n;
            if (p > 0) part.precision += p * (true_positives / (true_positives + false_positives));
            const double s = squares ? squares[0][i] : p, t = squares ? squares[1][i] : n;
            part.squares[0] += s;
            part.squares[1] += t;
            part.mean[0] += s * beaten(n, false_positives);
            part.mean[1] += t * beating(p, true_positives);
        },
        [&] {
            all.concordant += part.concordant;
            all.discordant += part.discordant;
            all.tied += part.tied;
            all.precision += part.precision;
            for (int c = 0; c < 2; ++c) {
                all.squares[c] += part.squares[c];
                all.mean[c] += part.mean[c];
            }
            part = CurveSums{};
        });
    for (int c = 0; c < 2; ++c) all.mean[c] = all.squares[c] > 0 ? all.mean[c] / all.squares[c] : 0.0;
    down(
        positive, negative, size, tp, fp,
        [&](std::size_t i, double p, double n, double true_positives, double false_positives) {
            const double off = beaten(n, false_positives) - all.mean[0], other = beating(p, true_positives) - all.mean[1];
            part.spread[0] += (squares ? squares[0][i] : p) * off * off;
            part.spread[1] += (squares ? squares[1][i] : n) * other * other;
        },
        [&] {
            for (int c = 0; c < 2; ++c) {
                all.spread[c] += part.spread[c];
                part.spread[c] = 0;
            }
        });
    return all;
}

}  // namespace tallymark
