// The kernels on fixed data, each in a function of its own, for callgrind: see instructions.py.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <vector>

#include "areas.hpp"
#include "hull.hpp"
#include "inversions.hpp"
#include "pairs.hpp"
#include "powers.hpp"
#include "rank.hpp"
#include "resample.hpp"
#include "shortcuts.hpp"
#include "sort.hpp"
#include "table.hpp"

using namespace tallymark;

#define COUNTED extern "C" __attribute__((noinline)) void

static volatile std::size_t rows_in_all = 100'000;  // not known to the compiler
const std::size_t n = rows_in_all;
volatile double kept;  // so that nothing is left out

// The same numbers with every standard library.
struct Data {
    std::vector<std::int64_t> truth, called, positive, negative, corner, places;
    std::vector<double> score, weight, scores, tp, fp, one, other;
    std::vector<std::uint8_t> mark, times;
    std::vector<std::uint16_t> at;
    std::vector<std::int64_t> held, starts;
    std::size_t rows = 0;

    Data() : truth(n), called(n), positive(2 * n), negative(2 * n), corner(n + 1), places(n), score(n), weight(n), scores(2 * n),
             tp(n + 1), fp(n + 1), one(2 * n), other(2 * n), mark(n), times(n) {
        std::uint64_t counter = 1;
        const auto random = [&] { return static_cast<double>(mixed(counter += golden) >> 11) * 0x1p-53; };
        for (std::size_t i = 0; i < n; ++i) {
            truth[i] = random() < 0.3;
            score[i] = 0.7 * random() + 0.3 * random() * static_cast<double>(truth[i]);
            called[i] = score[i] > 0.5;
            weight[i] = random();
            places[i] = static_cast<std::int64_t>(random() * 1000);
        }
        in_order();
    }

    // What the bootstrap asks for, with the cases in the order of their scores.
    void in_order() {
        held.resize((n + cases_in_block - 1) / cases_in_block);
        for (std::size_t i = 0; i < n; ++i) {
            mark[i] = static_cast<std::uint8_t>(mixed(i * golden) % 10 < 3);
            held[i / cases_in_block] += mark[i];
            if (mark[i]) at.push_back(static_cast<std::uint16_t>(i % cases_in_block));
        }
        starts.resize(n / 4 + 1);
        for (std::size_t i = 0; i < starts.size(); ++i) starts[i] = static_cast<std::int64_t>(std::min(4 * i, n));
    }

    Column<std::int64_t> labels() const { return {truth.data(), n, 1}; }
    Table<double, std::int64_t> table() const { return {scores.data(), positive.data(), negative.data(), rows}; }
};

COUNTED count_tally(Data& d) {
    const Column<std::int64_t> t = d.labels(), c{d.called.data(), n, 1};
    Weights sum;
    tally(t, c, nullptr, Labels<std::int64_t>(t, 1), Labels<std::int64_t>(c, 1), sum);
    kept = sum.tp;
}

COUNTED count_partition(Data& d) {
    partition(d.labels(), Column<double>{d.score.data(), n, 1}, Labels<std::int64_t>(d.labels(), 1), d.scores.data());
    kept = d.scores[0];
}

COUNTED count_sort(Data& d) {
    std::copy_n(d.score.begin(), n, d.one.begin());
    sort_scores(d.one.data(), d.other.data(), n);
}

COUNTED count_rank_in_order(Data& d, const std::vector<double>& sorted) {
    rank_in_order(d.labels(), Column<double>{sorted.data(), n, 1}, Labels<std::int64_t>(d.labels(), 1), false, d.scores.data(),
                  d.positive.data(), d.negative.data());
}

COUNTED count_rank_distinct(Data& d, const std::vector<double>& rounded) {
    rank_distinct(d.labels(), Column<double>{rounded.data(), n, 1}, Labels<std::int64_t>(d.labels(), 1), d.scores.data(),
                  d.positive.data(), d.negative.data());
}

COUNTED count_rank_few(Data& d) {
    for (std::size_t start = 0; start + 500 <= n / 4; start += 500) {
        const Column<std::int64_t> t{d.truth.data() + start, 500, 1};
        rank_few(t, Column<double>{d.score.data() + start, 500, 1}, Labels<std::int64_t>(t, 1), d.one.data(), d.positive.data(),
                 d.negative.data());
    }
}

COUNTED count_collapse(Data& d, const Sorted<double>& a, const Sorted<double>& b) {
    d.rows = collapse(a, b, d.scores.data(), d.positive.data(), d.negative.data());
}

COUNTED count_merge(Data& d) {
    std::vector<std::int64_t> positive(2 * n), negative(2 * n);
    kept = static_cast<double>(merge(std::vector{d.table(), d.table()}, d.one.data(), positive.data(), negative.data()));
}

COUNTED count_concordance(Data& d) {
    kept = static_cast<double>(concordance(d.positive.data(), d.negative.data(), d.rows));
}

COUNTED count_given_to_truth(Data& d) { kept = static_cast<double>(given_to_truth(d.table(), d.one.data(), d.other.data())); }

COUNTED count_hull(Data& d) { hull(d.tp.data(), d.fp.data(), d.rows + 1, d.corner.data()); }

COUNTED count_inversions(Data& d) {
    std::vector<std::int64_t> values(n), room(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<std::int64_t>(1e6 * d.score[i]);
    kept = static_cast<double>(inversions(values.data(), room.data(), n));
}

// 1,000 rows of 100 classes.
COUNTED count_areas(Data& d) {
    const std::size_t classes = 100, cases = n / classes;
    std::vector<double> own, share(classes, 1.0), sums(cases), worth(cases, 1.0);
    std::vector<std::int64_t> truth(cases), start{0};
    for (std::size_t i = 0; i < cases; ++i) truth[i] = static_cast<std::int64_t>(i % classes);
    for (std::size_t c = 0; c < classes; ++c) {
        for (std::size_t i = c; i < cases; i += classes) own.push_back(d.score[c * cases + i]);
        std::sort(own.begin() + start[c], own.end());
        start.push_back(static_cast<std::int64_t>(own.size()));
    }
    std::vector<double> above(2 * own.size() + classes, 1.0), others(above.size()), pairs(classes * classes);
    const ClassTable<double> table{d.score.data(), cases, classes, truth.data(), worth.data(), worth.data()};
    areas(table, 0, cases, own.data(), start.data(), above.data(), share.data(), 1, sums.data(), others.data(), pairs.data());
    kept = sums[0];
}

// Of a mean of .996.
const std::uint32_t below_one[limits] = {24205,      48313,      60318,      64303,      65295,      65492,      65524,
                                         1600000000, 2600000000, 3300000000, 3500000000, 3700000000, 3800000000, 3900000000,
                                         4200000000, 4260000000, 4280000000, 4290000000, 4294000000, 4294967295};

COUNTED count_draw(Data& d) {
    const auto size = static_cast<std::int64_t>(n);
    draw(1, 2, below_one, &size, 1, nullptr, nullptr, d.times.data());
}

COUNTED count_draw_poisson(Data& d) { kept = static_cast<double>(draw_poisson(1, 2, 0, below_one, n, d.times.data())); }

COUNTED count_powers(Data& d) {
    const std::int64_t starts[2] = {0, static_cast<std::int64_t>(n / 3)};
    double mean[2], sums[2 * powers_of];
    kept = powers(d.score.data(), n, d.weight.data(), 1, starts, 2, mean, sums) + sums[1];
}

COUNTED count_polynomials(Data& d) {
    const std::int64_t starts[2] = {0, static_cast<std::int64_t>(n / 3)};
    double sums[2 * polynomials_of];
    polynomials(d.score.data(), n, d.weight.data(), 1, starts, 2, sums);
    kept = sums[1];
}

COUNTED count_among(Data& d) { kept = static_cast<double>(among(d.times.data(), d.mark.data(), n)); }

COUNTED count_weighed(Data& d) { kept = weighed(d.times.data(), d.weight.data(), n); }

COUNTED count_swept(Data& d) {
    kept = swept(d.times.data(), d.mark.data(), n, d.at.data(), d.held.data(), nullptr, 0).precision;
}

COUNTED count_swept_ties(Data& d) {
    kept = swept(d.times.data(), d.mark.data(), n, nullptr, nullptr, d.starts.data(), d.starts.size() - 1).precision;
}

COUNTED count_pairs(Data& d) {
    constexpr std::size_t buckets = 64;
    std::vector<std::uint16_t> bucket(n);
    std::vector<std::int64_t> start(2 * buckets + 1), next;
    const Column<std::int64_t> t = d.labels();
    mark_buckets(t, Labels<std::int64_t>(t, 1), d.score.data(), 0, n, Parts<double>{0, buckets, buckets}, bucket.data(), start.data() + 1);
    std::partial_sum(start.begin(), start.end(), start.begin());
    next = start;
    fill_buckets(d.score.data(), bucket.data(), 0, n, next.data(), d.one.data());
    kept = static_cast<double>(pairs_of_buckets(d.one.data(), start.data(), 0, buckets));
}

COUNTED count_pairs_in_order(const Data& d, const std::vector<double>& score) {
    const Column<std::int64_t> t = d.labels();
    InOrder found;
    pairs_in_order(t, Column<double>{score.data(), n, 1}, Labels<std::int64_t>(t, 1), false, 0, n, found);
    kept = static_cast<double>(found.twice);
}

void ranking(Data& d) {
    count_partition(d);
    std::vector<double> up, down;
    for (std::size_t i = 0; i < n; ++i) (d.truth[i] ? up : down).push_back(d.score[i]);
    std::sort(up.begin(), up.end());
    std::sort(down.begin(), down.end());
    count_rank_few(d);
    count_sort(d);
    count_rank_in_order(d, d.one);
    count_pairs_in_order(d, d.one);
    for (std::size_t i = 0; i < n; ++i) d.one[i] = std::round(100 * d.score[i]);
    count_rank_distinct(d, d.one);
    count_collapse(d, {up.data(), up.size()}, {down.data(), down.size()});
    for (std::size_t i = 0; i < d.rows; ++i) {
        d.tp[i + 1] = d.tp[i] + static_cast<double>(d.positive[i]);
        d.fp[i + 1] = d.fp[i] + static_cast<double>(d.negative[i]);
    }
}

int main() {
    Data d;
    count_tally(d);
    count_pairs(d);
    ranking(d);
    count_merge(d);
    count_concordance(d);
    count_given_to_truth(d);
    count_hull(d);
    count_inversions(d);
    count_areas(d);
    count_draw(d);
    count_powers(d);
    count_polynomials(d);
    count_among(d);
    count_weighed(d);
    count_swept(d);
    count_swept_ties(d);
    count_draw_poisson(d);
}
