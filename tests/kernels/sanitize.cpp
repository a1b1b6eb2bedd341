// The kernels on random input, for a build with the address and undefined-behaviour sanitizers: `make sanitize`.
// Room is allocated to the element, so that a write beyond it is caught; sums are checked, so that a wrong answer is too.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <numeric>
#include <random>
#include <vector>

#include "areas.hpp"
#include "between.hpp"
#include "curve.hpp"
#include "hull.hpp"
#include "inversions.hpp"
#include "pairs.hpp"
#include "powers.hpp"
#include "rank.hpp"
#include "resample.hpp"
#include "shortcuts.hpp"
#include "sort.hpp"
#include "sweep.hpp"
#include "table.hpp"

using namespace tallymark;

// Memory that runs out: allocation number `fails_at` from now fails. Below 0: none does.
static long fails_at = -1;

void* operator new(std::size_t size) {
    if (fails_at >= 0 && fails_at-- == 0) throw std::bad_alloc();
    if (void* room = std::malloc(size ? size : 1)) return room;
    throw std::bad_alloc();
}
void operator delete(void* room) noexcept { std::free(room); }
void operator delete(void* room, std::size_t) noexcept { std::free(room); }

namespace {

std::mt19937_64 random_bits(1);

double uniform() { return std::uniform_real_distribution<double>()(random_bits); }

void check(bool holds, const char* what) {
    if (holds) return;
    std::printf("failed: %s\n", what);
    std::exit(1);
}

template <typename W>
struct Columns {
    std::vector<double> score;
    std::vector<W> positive, negative;

    explicit Columns(std::size_t rows) : score(rows), positive(rows), negative(rows) {}
    void keep(std::size_t rows) {
        score.resize(rows);
        positive.resize(rows);
        negative.resize(rows);
    }
    Table<double, W> table() const { return {score.data(), positive.data(), negative.data(), score.size()}; }
    W total() const {
        const W start = std::accumulate(positive.begin(), positive.end(), W(0));
        return std::accumulate(negative.begin(), negative.end(), start);
    }
};

Columns<std::int64_t> ranked(const std::vector<std::int64_t>& truth, const std::vector<double>& score) {
    const Column<std::int64_t> t{truth.data(), truth.size(), 1};
    Columns<std::int64_t> out(truth.size());
    const std::size_t rows = rank_few(t, Column<double>{score.data(), score.size(), 1}, Labels<std::int64_t>(t, 1),
                                      out.score.data(), out.positive.data(), out.negative.data());
    check(rows != no_row, "labels and scores are fine");
    out.keep(rows);
    return out;
}

// The long way: partition, sort, collapse.
std::int64_t cases_by_partition(const std::vector<std::int64_t>& truth, const std::vector<double>& score) {
    const std::size_t n = truth.size();
    std::vector<double> scores(n);
    const Column<std::int64_t> t{truth.data(), n, 1};
    const Found found = partition(t, Column<double>{score.data(), n, 1}, Labels<std::int64_t>(t, 1), scores.data());
    check(!found.stray && !found.not_a_number, "nothing is found that is not there");
    std::sort(scores.begin(), scores.begin() + static_cast<std::ptrdiff_t>(found.positives));
    std::sort(scores.begin() + static_cast<std::ptrdiff_t>(found.positives), scores.end());
    Columns<std::int64_t> out(n);
    const Sorted<double> a{scores.data(), found.positives}, b{scores.data() + found.positives, n - found.positives};
    out.keep(collapse(a, b, out.score.data(), out.positive.data(), out.negative.data()));
    return out.total();
}

// The hull of the sweep of a table: no point above it, and each point knows the corner before it.
void hull_of(const Columns<std::int64_t>& table, double weight) {
    const std::size_t size = table.score.size() + 1;
    std::vector<double> tp(size, 0.0), fp(size, 0.0);
    for (std::size_t i = 1; i < size; ++i) {
        tp[i] = tp[i - 1] + weight * static_cast<double>(table.positive[i - 1]);
        fp[i] = fp[i - 1] + weight * static_cast<double>(table.negative[i - 1]);
    }
    std::vector<std::int64_t> corner(size);
    hull(tp.data(), fp.data(), size, corner.data());
    check(corner.front() == 0 && corner.back() == static_cast<std::int64_t>(size - 1), "the ends are corners");
    const double rounding = 1e-9 * (tp.back() + 1) * (fp.back() + 1);
    for (std::size_t i = 1; i < size; ++i) {
        const std::size_t a = static_cast<std::size_t>(corner[i - 1]);
        check(corner[i] == static_cast<std::int64_t>(i) || corner[i] == corner[i - 1], "a corner is its own last one");
        std::size_t b = i;
        while (corner[b] != static_cast<std::int64_t>(b)) ++b;
        const double turn = (fp[b] - fp[a]) * (tp[i] - tp[a]) - (tp[b] - tp[a]) * (fp[i] - fp[a]);
        check(turn <= rounding, "no point lies above the hull");
    }
}

void trial(std::size_t n) {
    std::vector<std::int64_t> truth(n), called(n);
    std::vector<double> score(n);
    for (std::size_t i = 0; i < n; ++i) {
        truth[i] = uniform() < 0.3;
        called[i] = uniform() < 0.5;
        score[i] = n % 2 ? uniform() : std::round(10 * uniform());
    }
    const Column<std::int64_t> t{truth.data(), n, 1}, c{called.data(), n, 1};
    Weights sum;
    check(tally(t, c, nullptr, Labels<std::int64_t>(t, 1), Labels<std::int64_t>(c, 1), sum), "two labels each");
    check(sum.tp + sum.fp + sum.fn + sum.tn == static_cast<double>(n), "every case is counted once");

    const Columns<std::int64_t> table = ranked(truth, score);
    check(table.total() == static_cast<std::int64_t>(n), "every case is ranked once");
    check(cases_by_partition(truth, score) == static_cast<std::int64_t>(n), "no case is lost");

    Columns<std::int64_t> merged(2 * table.score.size());
    merged.keep(merge(std::vector{table.table(), table.table()}, merged.score.data(), merged.positive.data(), merged.negative.data()));
    check(merged.score == table.score && merged.total() == 2 * table.total(), "a table merged with itself doubles");
    check(concordance(merged.positive.data(), merged.negative.data(), merged.score.size()) ==
              4 * concordance(table.positive.data(), table.negative.data(), table.score.size()),
          "and has four times the pairs");

    std::vector<double> probability(2 * table.score.size()), weight(2 * table.score.size());
    const std::size_t entries = given_to_truth(table.table(), probability.data(), weight.data());
    check(std::accumulate(weight.begin(), weight.begin() + static_cast<std::ptrdiff_t>(entries), 0.0) == static_cast<double>(n),
          "every case has its probability");

    for (const double one : {1.0, 0.1}) hull_of(table, one);
    std::vector<double> none(n, 0.0);
    std::vector<std::int64_t> corner(n);
    hull(none.data(), none.data(), n, corner.data());
    check(corner.back() == static_cast<std::int64_t>(n - 1), "points that are all the same have a hull");
    hull(none.data(), none.data(), 0, corner.data());

    for (const std::size_t rows : {std::size_t{0}, std::size_t{1}, rows_together, 2 * rows_together + 3}) {
        const std::vector<double> ones(rows * n, 1.0);
        std::vector<double> above(rows * (n + 1)), rest(rows * (n + 1));
        sweep(ones.data(), rows, n, above.data(), rest.data());
        check(!rows || (above.back() == static_cast<double>(n) && rest.back() == 0.0), "a sweep ends with the sum");
    }

    const std::vector<double> weights(n, 0.1);
    const double pairs = concordance(weights.data(), weights.data(), n), all = 0.01 * static_cast<double>(n) * static_cast<double>(n);
    check(std::abs(pairs - all) <= 1e-15 * all, "compensated sums round once");
}

// Limits of draws with a mean of .99.
const std::uint32_t limit[limits] = {24351,      48458,      60391,      64328,      65302,      65494,      65525,
                                     1600000000, 2600000000, 3300000000, 3500000000, 3700000000, 3800000000, 3900000000,
                                     4200000000, 4260000000, 4280000000, 4290000000, 4294000000, 4294967295};

// A resample of cases in the order of their scores: every class is drawn as often as it has cases, and a sweep with and without the look
// for ties sums up the same, none being there. Room is allocated to the element.
void resample(std::size_t n, double share) {
    std::vector<std::uint8_t> positive(n), negative(n), times(n), room(n);
    std::vector<std::int64_t> held((n + cases_in_block - 1) / cases_in_block), starts(n + 1);
    std::vector<std::uint32_t> place, others;
    std::vector<std::uint16_t> at;
    for (std::size_t i = 0; i < n; ++i) {
        negative[i] = !(positive[i] = uniform() < share);
        (positive[i] ? place : others).push_back(static_cast<std::uint32_t>(i));
        if (!positive[i]) continue;
        ++held[i / cases_in_block];
        at.push_back(static_cast<std::uint16_t>(i % cases_in_block));
    }
    const auto total = static_cast<std::int64_t>(place.size()), all = static_cast<std::int64_t>(n);
    const std::int64_t sizes[2] = {total, all - total};
    place.insert(place.end(), others.begin(), others.end());
    std::iota(starts.begin(), starts.end(), 0);
    at.shrink_to_fit();
    place.shrink_to_fit();

    draw(~0ULL, n, limit, &all, 1, nullptr, nullptr, times.data());
    check(all_of(times.data(), n) == n, "as many draws as cases");
    std::uint32_t of_both[2 * limits];
    std::copy_n(limit, limits, of_both);
    std::copy_n(limit, limits, of_both + limits);
    draw(~0ULL, n, of_both, sizes, 2, place.data(), room.data(), times.data());
    check(among(times.data(), positive.data(), n) == total, "every draw lands in its class");
    check(among(times.data(), negative.data(), n) == all - total, "and none is lost");
    const std::vector<double> ones(n, 0.5);
    check(weighed(times.data(), ones.data(), n) == 0.5 * static_cast<double>(n), "a sum of halves");

    for (int again = 0; again < 2; ++again) {
        const Sums plain = swept(times.data(), positive.data(), n, at.data(), held.data(), nullptr, 0);
        const Sums tied = swept(times.data(), positive.data(), n, at.data(), held.data(), starts.data(), n);
        check(plain.tp == plain.positives && tied.tp == plain.tp && plain.fp == tied.fp, "a sweep ends with every draw");
        check(plain.area == tied.area && plain.high == tied.high && plain.low == tied.low, "ties that are none change nothing");
        check(std::abs(plain.precision - tied.precision) <= 1e-12 * static_cast<double>(n), "nor the precisions");
        draw_poisson(n, 1, 0, limit, n, times.data());
        for (const std::uint8_t drawn : times) check(drawn <= rare_limits, "no case is drawn more often than there are limits");
        if (n > 5) times[n / 2] = 200;  // more than a sum of eight numbers holds
    }
}

// Every kernel under allocations that fail: std::bad_alloc, which the binding turns into a MemoryError, or the answer; no leak.
template <typename F>
void with_failing_memory(F&& kernel, bool allocates, const char* what) {
    bool failed = false;
    for (long n = 0;; ++n) {
        fails_at = n;
        try {
            kernel();
        } catch (const std::bad_alloc&) {
            failed = true;
            continue;
        }
        fails_at = -1;
        break;
    }
    check(failed == allocates, what);
}

void out_of_memory() {
    constexpr std::size_t n = 5000;
    std::vector<std::int64_t> truth(n), a(n), b(n), corner(n);
    std::vector<double> score(n), out(n), probability(2 * n), weight(2 * n);
    std::vector<std::uint8_t> positive(n), times(n);
    const std::vector<std::int64_t> held(2, 0);
    for (std::size_t i = 0; i < n; ++i) truth[i] = positive[i] = i % 3 == 0, score[i] = uniform();
    const Column<std::int64_t> t{truth.data(), n, 1};
    const Column<double> s{score.data(), n, 1};
    const Labels<std::int64_t> labels(t, 1);
    std::size_t rows = 0;
    with_failing_memory([&] { rows = rank_few(t, s, labels, out.data(), a.data(), b.data()); }, true, "few cases need room");
    check(rows == n, "and are ranked when there is some");
    Weights sum;
    with_failing_memory([&] { tally(t, t, nullptr, labels, labels, sum); }, false, "a tally needs no room");
    const Table<double, std::int64_t> table{out.data(), a.data(), b.data(), rows};
    with_failing_memory([&] { given_to_truth(table, probability.data(), weight.data()); }, false, "nor probabilities");
    with_failing_memory([&] { concordance(a.data(), b.data(), rows); }, false, "nor pairs");
    with_failing_memory([&] { hull(score.data(), score.data(), n, corner.data()); }, false, "nor a hull");
    with_failing_memory([&] { among(times.data(), positive.data(), n); }, false, "nor counts of a resample");
    with_failing_memory([&] { swept(times.data(), positive.data(), n, nullptr, held.data(), nullptr, 0); }, true, "a sweep needs some");
}


// Scores of all magnitudes, with ties and infinities. Room is allocated to the element.
template <typename S>
void sorting(std::size_t n, int kind) {
    std::vector<S> score(n), room(n);
    for (S& one : score) {
        const double u = uniform(), sign = random_bits() % 2 ? 1 : -1;
        if (kind == 0) one = static_cast<S>(u);
        if (kind == 1) one = static_cast<S>(sign * std::exp(60 * (u - 0.5)));
        if (kind == 2) one = static_cast<S>(std::floor(20 * u));
        if (kind == 3) one = static_cast<S>(sign * (random_bits() % 3 ? u : INFINITY));
        if (kind == 4) one = static_cast<S>(1 + std::ldexp(std::floor(1e4 * u * u), -22));
        if (kind == 5) one = static_cast<S>(sign * (random_bits() % 2 ? std::numeric_limits<S>::denorm_min() : std::numeric_limits<S>::max()));
    }
    std::vector<S> wanted = score;
    std::sort(wanted.begin(), wanted.end());
    sort_scores(score.data(), room.data(), n);
    check(score == wanted, "scores are sorted");
    std::reverse(score.begin(), score.end());
    sort_scores(score.data(), room.data(), n);
    check(score == wanted, "and turned where they fall");
}

// The pairs of cases that are spread over buckets, next to those of the table.
template <typename S>
void pairs_without_table(std::size_t n, int kind, std::size_t buckets) {
    std::vector<std::int64_t> truth(n), count(2 * buckets);
    std::vector<double> score(n);
    std::vector<S> given(n), room(n);
    for (std::size_t i = 0; i < n; ++i) {
        truth[i] = uniform() < 0.4;
        const double u = uniform();
        given[i] = static_cast<S>(kind == 0 ? u : kind == 1 ? std::floor(5 * u) : kind == 2 ? std::exp(200 * (u - 1)) : kind == 3 ? INFINITY : kind == 4 ? -u : u);
        if (kind == 4 && i % 3) given[i] = -std::numeric_limits<S>::infinity();
        if (kind == 5 && i % 3) given[i] = i % 2 ? S(0) : -S(0);
        score[i] = static_cast<double>(given[i]) + 0.0;
    }
    const Column<std::int64_t> t{truth.data(), n, 1};
    const Labels<std::int64_t> labels(t, 1);
    const Parts<S> parts{S(-0.5), static_cast<S>(buckets), static_cast<std::int32_t>(buckets)};
    std::vector<std::uint16_t> bucket(n);
    check(mark_buckets(t, labels, given.data(), 0, n / 2, parts, bucket.data(), count.data()) &&
              mark_buckets(t, labels, given.data(), n / 2, n, parts, bucket.data(), count.data()), "labels and scores are fine");
    std::vector<std::int64_t> start(2 * buckets + 1), next;
    for (std::size_t b = 0; b < 2 * buckets; ++b) start[b + 1] = start[b] + count[b];
    next = start;
    fill_buckets(given.data(), bucket.data(), 0, n, next.data(), room.data());
    std::int64_t twice = pairs_of_buckets(room.data(), start.data(), 0, buckets), below = 0;
    for (std::size_t b = 0; b < buckets; ++b) {
        twice += 2 * below * count[2 * b + 1];
        below += count[2 * b];
    }
    const Columns<std::int64_t> table = ranked(truth, score);
    check(twice == concordance(table.positive.data(), table.negative.data(), table.score.size()), "pairs without a table");
    next = start;
    fill_buckets(given.data(), bucket.data(), 0, n, next.data(), room.data());
    Columns<std::int64_t> in_buckets(n);
    std::vector<S> highest(n);
    const std::size_t rows = rank_buckets(room.data(), start.data(), 0, buckets, highest.data(), in_buckets.positive.data(), in_buckets.negative.data());
    check(rows == table.score.size() && std::equal(table.positive.begin(), table.positive.end(), in_buckets.positive.begin()) &&
              std::equal(table.score.begin(), table.score.end(), highest.begin()), "a table of buckets");
    if (!n) return;
    for (std::size_t i = 0; i < n; i += 3) given[i] = random_bits() % 2 ? std::numeric_limits<S>::quiet_NaN() : S(i);
    next = start;  // scores that another thread changed after they were marked: no answer is promised, but no fault
    fill_buckets(given.data(), bucket.data(), 0, n, next.data(), room.data());
    pairs_of_buckets(room.data(), start.data(), 0, buckets);
    next = start;
    fill_buckets(given.data(), bucket.data(), 0, n, next.data(), room.data());
    rank_buckets(room.data(), start.data(), 0, buckets, highest.data(), in_buckets.positive.data(), in_buckets.negative.data());
    given[n - 1] = std::numeric_limits<S>::quiet_NaN();
    check(!mark_buckets(t, labels, given.data(), 0, n, parts, bucket.data(), count.data()), "NaN is refused");
}

// The tables that need no sort, next to that of the sort; and refusals.
void shortcuts(std::size_t n, std::size_t distinct) {
    std::vector<std::int64_t> truth(n);
    std::vector<double> score(n);
    for (std::size_t i = 0; i < n; ++i) {
        truth[i] = uniform() < 0.4;
        score[i] = static_cast<double>(random_bits() % distinct);
    }
    const Column<std::int64_t> t{truth.data(), n, 1};
    const Column<double> s{score.data(), n, 1};
    const Labels<std::int64_t> labels(t, 1);
    const std::size_t room = std::min(n, most_distinct);
    Columns<std::int64_t> few(room), all(n);
    std::size_t rows = rank_distinct(t, s, labels, few.score.data(), few.positive.data(), few.negative.data());
    const Columns<std::int64_t> wanted = ranked(truth, score);
    check((rows == no_row) == (wanted.score.size() > most_distinct), "few distinct scores are counted");
    if (rows != no_row) few.keep(rows);
    check(rows == no_row || (few.score == wanted.score && few.positive == wanted.positive && few.negative == wanted.negative),
          "as a sort ranks them");
    for (const bool falls : {false, true}) {
        std::sort(score.begin(), score.end());
        if (falls) std::reverse(score.begin(), score.end());
        const Columns<std::int64_t> sorted = ranked(truth, score);
        InOrder upper, lower;
        const std::size_t half = n / 2;
        if (half && score[half - 1] != score[half]) {
            check(pairs_in_order(t, s, labels, falls, falls ? 0 : half, falls ? half : n, upper) &&
                      pairs_in_order(t, s, labels, falls, falls ? half : 0, falls ? n : half, lower), "halves in order");
            check(upper.twice + lower.twice + 2 * upper.positives * lower.negatives ==
                      concordance(sorted.positive.data(), sorted.negative.data(), sorted.score.size()), "pairs of halves");
            check(!pairs_in_order(t, s, labels, !falls, 0, n, lower), "scores in the other order are refused");
        }
        rows = rank_in_order(t, s, labels, falls, all.score.data(), all.positive.data(), all.negative.data());
        check(rows == sorted.score.size() && std::equal(sorted.score.begin(), sorted.score.end(), all.score.begin()) &&
                  std::equal(sorted.positive.begin(), sorted.positive.end(), all.positive.begin()),
              "cases in order are ranked");
        if (n > 1 && score[0] != score[n - 1])
            check(rank_in_order(t, s, labels, !falls, all.score.data(), all.positive.data(), all.negative.data()) == no_row,
                  "others are not");
    }
}

// Each score among the sorted ones of each class, by counting.
void areas_of_classes(std::size_t cases, std::size_t classes) {
    std::vector<double> score(cases * classes), own, worth(cases), weight(cases, 1.0), sums(cases), share(classes, 1.0);
    std::vector<std::int64_t> truth(cases), start{0};
    for (double& one : score) one = static_cast<double>(random_bits() % 9);
    for (std::int64_t& one : truth) one = static_cast<std::int64_t>(random_bits() % classes);
    for (double& one : worth) one = uniform();
    for (std::size_t c = 0; c < classes; ++c) {
        std::vector<double> mine;
        for (std::size_t i = 0; i < cases; ++i)
            if (truth[i] == static_cast<std::int64_t>(c)) mine.push_back(score[c * cases + i]);
        std::sort(mine.begin(), mine.end());
        own.insert(own.end(), mine.begin(), std::unique(mine.begin(), mine.end()));
        start.push_back(static_cast<std::int64_t>(own.size()));
    }
    std::vector<double> above(2 * own.size() + classes), others(above.size()), pairs(classes * classes);
    for (std::size_t slot = 0; slot < above.size(); ++slot) above[slot] = static_cast<double>(slot);
    const ClassTable<double> table{score.data(), cases, classes, truth.data(), worth.data(), weight.data()};
    areas(table, 0, cases, own.data(), start.data(), above.data(), share.data(), 1, sums.data(), others.data(), pairs.data());
    for (std::size_t i = 0; i < cases; ++i) {
        double wanted = 0;
        for (std::size_t c = 0; c < classes; ++c) {
            if (truth[i] == static_cast<std::int64_t>(c) || start[c] == start[c + 1]) continue;
            wanted += static_cast<double>(2 * start[c]) + static_cast<double>(c);
            for (auto j = start[c]; j < start[c + 1]; ++j) {
                const double value = own[static_cast<std::size_t>(j)], mine = score[c * cases + i];
                wanted += value < mine ? 2 : value == mine ? 1 : 0;
            }
        }
        check(wanted == sums[i], "a score has its slot");
    }
}

// By merge sort as pair by pair.
void pairs_in_descending_order(std::size_t n) {
    std::vector<std::int64_t> values(n), room(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<std::int64_t>(i * 7919 % 31);
    std::uint64_t wanted = 0;
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = i + 1; j < n; ++j) wanted += values[i] > values[j];
    check(inversions(values.data(), room.data(), n) == wanted, "every inversion is counted");
}

// Every pair is in the right order, in the wrong one or tied, whether squares of weights are given or not.
void sums_along_curves(std::size_t n) {
    const std::vector<std::int64_t> positive(n, 2), negative(n, 1);
    const std::vector<double> ones(n, 1.0);
    const double* const squares[] = {ones.data(), ones.data()};
    const double all = static_cast<double>(n);
    for (const double* const* some : {static_cast<const double* const*>(nullptr), squares}) {
        const CurveSums found = curve_sums(positive.data(), negative.data(), some, n, 0.0, 0.0, 2 * all, all);
        check(found.concordant + found.discordant + found.tied == 2 * all * all, "every pair is counted once");
        check(found.squares[1] == all, "the squares are summed");
    }
}

// Sums over parts add up to those over all entries.
void sums_over_parts(std::size_t n, std::size_t rows) {
    std::vector<double> values(n), weight(n * rows, 1.0);
    for (std::size_t i = 0; i < n; ++i) values[i] = static_cast<double>(i % 17) / 16.0;
    const std::vector<std::int64_t> starts{0, static_cast<std::int64_t>(n / 3), static_cast<std::int64_t>(n / 2)};
    const std::size_t parts = n < 6 ? 1 : starts.size();
    std::vector<double> mean(parts), sums(rows * parts * powers_of), found(rows * parts * polynomials_of);
    const double unit = powers(values.data(), n, weight.data(), rows, starts.data(), parts, mean.data(), sums.data());
    polynomials(values.data(), n, weight.data(), rows, starts.data(), parts, found.data());
    double all = 0.0, of_polynomials = 0.0;
    for (std::size_t part = 0; part < parts; ++part) {
        all += sums[part * powers_of];
        of_polynomials += found[part * rows * polynomials_of];
    }
    check(all == static_cast<double>(n) && of_polynomials == all && unit > 0, "the sums of power 0 are the number of entries");
}

}  // namespace

// Scores between edges, as by a binary search over all of them.
template <typename S>
void counts_between(std::size_t size, std::size_t edges, std::int64_t shift, bool even) {
    std::vector<S> edge{-std::numeric_limits<S>::infinity()}, score(size);
    for (std::size_t i = 1; i < edges; ++i) edge.push_back(static_cast<S>((uniform() - 0.5) * std::ldexp(1.0, static_cast<int>(i % 50))));
    std::sort(edge.begin(), edge.end());
    edge.erase(std::unique(edge.begin(), edge.end()), edge.end());
    for (std::size_t i = 0; i < size; ++i)
        score[i] = i % 3 ? static_cast<S>((uniform() - 0.5) * 1e9) : i % 9 ? edge[i % edge.size()] : std::numeric_limits<S>::infinity();
    const auto cell_of = [&](S one) { return static_cast<std::int64_t>(in_order(one)) >> shift; };
    const std::int64_t lowest = (edge.size() > 1 ? cell_of(edge[1]) : 0) - 1, cells = 3;  // one between the outer ones
    const auto below = [&](std::int64_t c) {
        return static_cast<std::int32_t>(std::count_if(edge.begin() + 1, edge.end(), [&](S one) { return cell_of(one) - lowest < c; }));
    };
    std::vector<Cell> cell{{0, 0}, {below(1), 0}, {below(2), 0}, {static_cast<std::int32_t>(edge.size()) - 1, 0}};
    if (even)  // the edges of the cell between, where they are spread over it
        cell[1].even = cell[2].below - cell[1].below;
    for (std::int32_t i = 0; i < cell[1].even; ++i) {
        const std::int64_t bits = std::min(shift, part_bits), part = ((std::int64_t(i) << bits) + cell[1].even - 1) / cell[1].even;
        const auto key = static_cast<Bits<S>>(((lowest + 1) << shift) + (part << (shift - bits)));
        edge[static_cast<std::size_t>(1 + cell[1].below + i)] = std::bit_cast<S>(in_order(std::bit_cast<S>(key)));
    }
    std::vector<std::uint32_t> found(edge.size()), wanted(edge.size());
    count_between(score.data(), size, Edges<S>{edge.data(), cell.data(), lowest, shift, cells}, found.data());
    for (const S one : score) ++wanted[static_cast<std::size_t>(std::upper_bound(edge.begin(), edge.end(), one) - edge.begin()) - 1];
    check(found == wanted, "scores are counted between edges");
}

int main() {
    for (std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{1000}})
        for (std::size_t edges : {std::size_t{1}, std::size_t{2}, std::size_t{3000}})
            for (const bool even : {false, true}) {
                counts_between<double>(size, edges, 55, even);
                counts_between<float>(size, edges, 24, even);
            }
    for (std::size_t n : {std::size_t{1}, std::size_t{2}, sums_at_once, sums_at_once + 1, std::size_t{1000}})
        for (std::size_t rows : {std::size_t{1}, std::size_t{4}}) sums_over_parts(n, rows);
    for (std::size_t n : {std::size_t{1}, added_at_once, 2 * added_at_once + 1}) sums_along_curves(n);
    for (std::size_t n : {std::size_t{0}, std::size_t{1}, inserted, inserted + 1, 3 * inserted + 7, std::size_t{1000}}) pairs_in_descending_order(n);
    for (std::size_t n : {std::size_t{1}, rows_in_tile - 1, rows_in_tile, rows_in_tile + 1, 3 * rows_in_tile + 7})
        for (std::size_t classes = 1; classes < 6; ++classes) areas_of_classes(n, classes);
    out_of_memory();
    for (std::size_t n : {std::size_t{1}, std::size_t{2}, few_to_sort, few_to_sort + 1, std::size_t{1000}, sort_block + 1, std::size_t{100000}})
        for (int kind = 0; kind < 6; ++kind) {
            sorting<double>(n, kind);
            sorting<float>(n, kind);
        }
    for (std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{1000}, block_rows + 1, std::size_t{50000}})
        for (int kind = 0; kind < 6; ++kind)
            for (std::size_t buckets : {std::size_t{1}, std::size_t{2}, std::size_t{64}}) {
                pairs_without_table<double>(n, kind, buckets);
                pairs_without_table<float>(n, kind, buckets);
            }
    for (std::size_t n : {std::size_t{1}, std::size_t{2}, block_rows, block_rows + 1, std::size_t{20000}})
        for (std::size_t distinct : {std::size_t{1}, std::size_t{3}, most_distinct, most_distinct + 1, std::size_t{100000}}) shortcuts(n, distinct);
    for (std::size_t n = 1; n < 200; ++n) trial(n);
    for (std::size_t n : {block_rows - 1, block_rows, block_rows + 1, 3 * block_rows + 7}) trial(n);
    for (const double share : {0.0, 0.3, 1.0})
        for (std::size_t n : {std::size_t{1}, std::size_t{2}, std::size_t{100}, cases_in_block - 1, cases_in_block, cases_in_block + 1,
                              3 * cases_in_block + 7})
            resample(n, share);
    std::printf("kernels: no fault found by the sanitizers\n");
}
