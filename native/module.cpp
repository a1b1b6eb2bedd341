// Binds the kernels: the only file here that knows Python. Arrays in, arrays out; every check of input is done before.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <optional>
#include <stdexcept>
#include <vector>

#include "areas.hpp"
#include "between.hpp"
#include "binding.hpp"
#include "curve.hpp"
#include "draw.hpp"
#include "hull.hpp"
#include "inversions.hpp"
#include "pairs.hpp"
#include "powers.hpp"
#include "rank.hpp"
#include "resample.hpp"
#include "shortcuts.hpp"
#include "sort.hpp"
#include "sum.hpp"
#include "sweep.hpp"
#include "table.hpp"
#include "tally.hpp"
#include "text.hpp"

namespace nb = nanobind;
using namespace tallymark;

using Any = nb::ndarray<nb::ro, nb::ndim<1>, nb::device::cpu>;
template <typename T>
using In = nb::ndarray<const T, nb::ndim<1>, nb::device::cpu, nb::c_contig>;
template <typename T>
using Out = Written<T, 1>;

template <typename T>
Column<T> column(const Any& array) {
    return {static_cast<const T*>(array.data()), array.shape(0), static_cast<std::ptrdiff_t>(array.stride(0))};
}

// Calls f with the column in its own type. Booleans are read as bytes.
template <typename F>
auto with_labels(const Any& array, F&& f) {
    const nb::dlpack::dtype type = array.dtype();
    if (type == nb::dtype<bool>() || type == nb::dtype<std::uint8_t>()) return f(column<std::uint8_t>(array));
    if (type == nb::dtype<std::int64_t>()) return f(column<std::int64_t>(array));
    if (type == nb::dtype<std::int32_t>()) return f(column<std::int32_t>(array));
    if (type == nb::dtype<std::int16_t>()) return f(column<std::int16_t>(array));
    if (type == nb::dtype<std::int8_t>()) return f(column<std::int8_t>(array));
    if (type == nb::dtype<std::uint64_t>()) return f(column<std::uint64_t>(array));
    if (type == nb::dtype<std::uint32_t>()) return f(column<std::uint32_t>(array));
    if (type == nb::dtype<std::uint16_t>()) return f(column<std::uint16_t>(array));
    if (type == nb::dtype<double>()) return f(column<double>(array));
    if (type == nb::dtype<float>()) return f(column<float>(array));
    throw std::invalid_argument("labels of a type that the kernels do not know");
}

template <typename T>
nb::object negative_of(const Labels<T>& labels) {
    return labels.has_negative ? nb::cast(labels.negative) : nb::none();
}

// (tp, fp, fn, tn, the negative label of truth, that of predicted), or None where a label is neither.
nb::object bind_tally(const Any& truth, const Any& predicted, std::optional<Any> weight, double positive, double called_positive) {
    return with_labels(truth, [&]<typename T>(Column<T> t) {
        return with_labels(predicted, [&]<typename P>(Column<P> p) -> nb::object {
            const Labels<T> true_labels(t, static_cast<T>(positive));
            const Labels<P> predicted_labels(p, static_cast<P>(called_positive));
            Weights sum;
            bool clean;
            {
                const Unlocked unlocked;
                const Column<double> w = weight ? column<double>(*weight) : Column<double>{};
                clean = tally(t, p, weight ? &w : nullptr, true_labels, predicted_labels, sum);
            }
            if (!clean) return nb::none();
            return nb::make_tuple(sum.tp, sum.fp, sum.fn, sum.tn, negative_of(true_labels), negative_of(predicted_labels));
        });
    });
}

// Fills `scores` with those of positives from the front, and of negatives from the back.
// (the number of positives, the negative label), or None on a NaN or a third label.
template <typename S>
nb::object bind_partition(const Any& truth, const Any& score, double positive, Out<S> scores) {
    return with_labels(truth, [&]<typename T>(Column<T> t) -> nb::object {
        const Labels<T> labels(t, static_cast<T>(positive));
        Found found;
        {
            const Unlocked unlocked;
            found = partition(t, column<S>(score), labels, scores.data());
        }
        if (found.stray || found.not_a_number) return nb::none();
        return nb::make_tuple(found.positives, negative_of(labels));
    });
}

// (rows, the negative label) of a kernel that fills a table, or None.
template <typename S, typename F>
nb::object ranked(const Any& truth, const Any& score, double positive, F&& rank) {
    return with_labels(truth, [&]<typename T>(Column<T> t) -> nb::object {
        const Labels<T> labels(t, static_cast<T>(positive));
        std::size_t rows;
        {
            const Unlocked unlocked;
            rows = rank(t, column<S>(score), labels);
        }
        return rows == no_row ? nb::object(nb::none()) : nb::object(nb::make_tuple(rows, negative_of(labels)));
    });
}

using Int64s = Out<std::int64_t>;

template <typename S>
nb::object bind_rank_few(const Any& truth, const Any& score, double positive, Out<S> out, Int64s positives, Int64s negatives) {
    return ranked<S>(truth, score, positive, [&](const auto& t, const auto& s, const auto& labels) {
        return rank_few(t, s, labels, out.data(), positives.data(), negatives.data());
    });
}

template <typename S>
nb::object bind_rank_in_order(const Any& truth, const Any& score, double positive, bool falls, Out<S> out, Int64s positives,
                              Int64s negatives) {
    return ranked<S>(truth, score, positive, [&](const auto& t, const auto& s, const auto& labels) {
        return rank_in_order(t, s, labels, falls, out.data(), positives.data(), negatives.data());
    });
}

// (positives, negatives, twice the pairs in the right order, the negative label of all rows) of rows [first, last), or None.
template <typename S>
nb::object bind_pairs_in_order(const Any& truth, In<S> score, double positive, bool falls, std::size_t first, std::size_t last) {
    return with_labels(truth, [&]<typename T>(Column<T> t) -> nb::object {
        const Labels<T> labels(t, static_cast<T>(positive));
        InOrder found;
        bool fine;
        {
            const Unlocked unlocked;
            fine = pairs_in_order(t, Column<S>{score.data(), score.shape(0), 1}, labels, falls, first, last, found);
        }
        if (!fine) return nb::none();
        return nb::make_tuple(found.positives, found.negatives, found.twice, negative_of(labels));
    });
}

template <typename S>
nb::object bind_rank_distinct(const Any& truth, const Any& score, double positive, Out<S> out, Int64s positives, Int64s negatives) {
    return ranked<S>(truth, score, positive, [&](const auto& t, const auto& s, const auto& labels) {
        return rank_distinct(t, s, labels, out.data(), positives.data(), negatives.data());
    });
}

// Of rows [first, last): fills their entries of `bucket`, and count, twice as many as there are parts. (whether no score is NaN and no
// label a third one, the negative label) by the labels of all rows.
template <typename S>
nb::object bind_mark_buckets(const Any& truth, In<S> score, double positive, std::size_t first, std::size_t last, S low, S scale,
                             Out<std::uint16_t> bucket, Int64s count) {
    return with_labels(truth, [&]<typename T>(Column<T> t) -> nb::object {
        const Labels<T> labels(t, static_cast<T>(positive));
        const Parts<S> parts{low, scale, static_cast<std::int32_t>(count.shape(0) / 2)};
        bool fine;
        {
            const Unlocked unlocked;
            fine = mark_buckets(t, labels, score.data(), first, last, parts, bucket.data(), count.data());
        }
        return nb::make_tuple(fine, negative_of(labels));
    });
}

template <typename S>
void bind_fill_buckets(In<S> score, In<std::uint16_t> bucket, std::size_t first, std::size_t last, Int64s next, Out<S> room) {
    const Unlocked unlocked;
    fill_buckets(score.data(), bucket.data(), first, last, next.data(), room.data());
}

template <typename S>
std::int64_t bind_pairs_of_buckets(Out<S> scores, In<std::int64_t> start, std::size_t first, std::size_t last) {
    const Unlocked unlocked;
    return pairs_of_buckets(scores.data(), start.data(), first, last);
}

template <typename S>
std::size_t bind_rank_buckets(Out<S> scores, In<std::int64_t> start, std::size_t first, std::size_t last, Out<S> score,
                              Int64s positive, Int64s negative) {
    const Unlocked unlocked;
    return rank_buckets(scores.data(), start.data(), first, last, score.data(), positive.data(), negative.data());
}

// room: for as many scores.
template <typename S>
void bind_sort(Out<S> score, Out<S> room) {
    const Unlocked unlocked;
    sort_scores(score.data(), room.data(), score.shape(0));
}

// cell: of the bits of the edges, from `lowest` on, as pairs (see Cell), and one more.
template <typename S>
void bind_count_between(In<S> score, In<S> edge, In<std::int32_t> cell, std::int64_t lowest, std::int64_t shift,
                        Out<std::uint32_t> count) {
    const Unlocked unlocked;
    const auto* cells = reinterpret_cast<const Cell*>(cell.data());
    count_between(score.data(), score.shape(0), Edges<S>{edge.data(), cells, lowest, shift, static_cast<std::int64_t>(cell.shape(0)) / 2 - 1},
                  count.data());
}

template <typename S>
std::size_t bind_collapse(In<S> a, In<S> b, Out<S> score, Int64s positive, Int64s negative) {
    const Unlocked unlocked;
    return collapse(Sorted<S>{a.data(), a.shape(0)}, Sorted<S>{b.data(), b.shape(0)}, score.data(), positive.data(), negative.data());
}

template <typename S, typename W>
std::size_t bind_merge(const std::vector<std::tuple<In<S>, In<W>, In<W>>>& tables, Out<S> score, Out<W> positive, Out<W> negative) {
    const Unlocked unlocked;
    std::vector<Table<S, W>> each;
    for (const auto& [scores, positives, negatives] : tables)
        each.push_back({scores.data(), positives.data(), negatives.data(), scores.shape(0)});
    return merge(std::move(each), score.data(), positive.data(), negative.data());
}

template <typename W>
W bind_concordance(In<W> positive, In<W> negative) {
    const Unlocked unlocked;
    return concordance(positive.data(), negative.data(), positive.shape(0));
}

std::uint64_t bind_inversions(Out<std::int64_t> values, Out<std::int64_t> room) {
    const Unlocked unlocked;
    return inversions(values.data(), room.data(), values.shape(0));
}

template <typename S, typename W>
std::size_t bind_given_to_truth(In<S> score, In<W> positive, In<W> negative, Out<double> probability, Out<double> weight) {
    const Unlocked unlocked;
    const Table<S, W> table{score.data(), positive.data(), negative.data(), score.shape(0)};
    return given_to_truth(table, probability.data(), weight.data());
}

template <typename T>
using In2 = nb::ndarray<const T, nb::ndim<2>, nb::device::cpu, nb::c_contig>;
template <typename T>
using Out2 = Written<T, 2>;

// One hull per row.
void bind_hull(In2<double> tp, In2<double> fp, Out2<std::int64_t> corner) {
    const Unlocked unlocked;
    const std::size_t size = tp.shape(1);
    for (std::size_t row = 0; row < tp.shape(0); ++row)
        hull(tp.data() + row * size, fp.data() + row * size, size, corner.data() + row * size);
}

// The corners of one hull per row, and how many there are.
void bind_corners(In2<double> tp, In2<double> fp, Out2<std::int64_t> corner, Out<std::int64_t> many) {
    const Unlocked unlocked;
    const std::size_t size = tp.shape(1);
    for (std::size_t row = 0; row < tp.shape(0); ++row)
        many.data()[row] = static_cast<std::int64_t>(
            corners(tp.data() + row * size, fp.data() + row * size, size, corner.data() + row * size));
}

// One sweep per row.
void bind_sweep(In2<double> weight, Out2<double> above, Out2<double> rest) {
    const Unlocked unlocked;
    sweep(weight.data(), weight.shape(0), weight.shape(1), above.data(), rest.data());
}

// The numbers of a CurveSums, in its order. squares: none where they are the weights; tp, fp: above these rows.
template <typename W>
auto bind_curve_sums(In<W> positive, In<W> negative, std::optional<In<double>> squares, std::optional<In<double>> others, double tp,
                     double fp, double positives, double negatives) {
    CurveSums found;
    {
        const Unlocked unlocked;
        const double* const both[] = {squares ? squares->data() : nullptr, others ? others->data() : nullptr};
        found = curve_sums(positive.data(), negative.data(), squares && others ? both : nullptr, positive.shape(0), tp, fp, positives,
                           negatives);
    }
    const auto both = [](const double* numbers) { return nb::make_tuple(numbers[0], numbers[1]); };
    return nb::make_tuple(found.concordant, found.discordant, found.tied, found.precision, both(found.squares), both(found.mean),
                          both(found.spread));
}

// starts: of parts, which rise from 0; mean: of each part; sums: (rows of weight, parts * 5). Returns the unit.
double bind_powers(In<double> values, In2<double> weight, In<std::int64_t> starts, Out<double> mean, Out2<double> sums) {
    const Unlocked unlocked;
    return powers(values.data(), values.shape(0), weight.data(), weight.shape(0), starts.data(), starts.shape(0), mean.data(),
                  sums.data());
}

// sums: (parts, rows of weight * 10).
void bind_polynomials(In<double> z, In2<double> weight, In<std::int64_t> starts, Out2<double> sums) {
    const Unlocked unlocked;
    polynomials(z.data(), z.shape(0), weight.data(), weight.shape(0), starts.data(), starts.shape(0), sums.data());
}

// Replicates [first, first + rows of times). limit: (classes, limits); sizes: of the classes; place: see draw.
void bind_draw(std::uint64_t seed, std::uint64_t first, In2<std::uint32_t> limit, In<std::int64_t> sizes,
               std::optional<In<std::uint32_t>> place, Out2<std::uint8_t> times) {
    const Unlocked unlocked;
    const std::size_t size = times.shape(1);
    std::vector<std::uint8_t> room(place ? size : 0);
    for (std::size_t r = 0; r < times.shape(0); ++r)
        draw(seed, first + r, limit.data(), sizes.data(), sizes.shape(0), place ? place->data() : nullptr, room.data(),
             times.data() + r * size);
}

void bind_draw_poisson(std::uint64_t seed, std::uint64_t first, In<std::uint32_t> limit, Out2<std::uint8_t> times) {
    const Unlocked unlocked;
    const std::size_t size = times.shape(1);
    for (std::size_t r = 0; r < times.shape(0); ++r)
        draw_poisson(seed, first + r, 0, limit.data(), size, times.data() + r * size);
}

// One row per replicate, one column per mask.
void bind_among(In2<std::uint8_t> times, In2<std::uint8_t> masks, Out2<std::int64_t> sums) {
    const Unlocked unlocked;
    const std::size_t size = times.shape(1);
    for (std::size_t r = 0; r < times.shape(0); ++r)
        for (std::size_t m = 0; m < masks.shape(0); ++m)
            sums.data()[r * masks.shape(0) + m] = among(times.data() + r * size, masks.data() + m * size, size);
}

// The same of numbers; a block of them serves all replicates while it is in the cache.
void bind_weighed(In2<std::uint8_t> times, In2<double> numbers, Out2<double> sums) {
    const Unlocked unlocked;
    const std::size_t size = times.shape(1), columns = numbers.shape(0);
    std::fill_n(sums.data(), times.shape(0) * columns, 0.0);
    for (std::size_t start = 0; start < size; start += cases_in_block)
        for (std::size_t r = 0; r < times.shape(0); ++r)
            for (std::size_t c = 0; c < columns; ++c)
                sums.data()[r * columns + c] += weighed(times.data() + r * size + start, numbers.data() + c * size + start,
                                                        std::min(cases_in_block, size - start));
}

// Per replicate: positives, negatives, twice the pairs in the right order, the sum of the precisions, and the extremes of the
// difference of the rates times both class sizes. order: of the cases by falling score, if they are not in it.
void bind_swept(In2<std::uint8_t> times, std::optional<In<std::uint32_t>> order, In<std::uint8_t> positive, In<std::uint16_t> at,
                In<std::int64_t> held, std::optional<In<std::int64_t>> starts, Out2<double> sums) {
    const Unlocked unlocked;
    const std::size_t size = times.shape(1);
    std::vector<std::uint8_t> sorted(order ? size : 0);
    for (std::size_t r = 0; r < times.shape(0); ++r) {
        const std::uint8_t* of_case = times.data() + r * size;
        if (order) {
            for (std::size_t i = 0; i < size; ++i) sorted[i] = of_case[order->data()[i]];
            of_case = sorted.data();
        }
        const Sums found = swept(of_case, positive.data(), size, at.data(), held.data(), starts ? starts->data() : nullptr,
                                 starts ? starts->shape(0) - 1 : 0);
        const double row[] = {double(found.positives), double(found.negatives), double(found.area), found.precision,
                              double(found.high), double(found.low)};
        std::copy_n(row, 6, sums.data() + 6 * r);
    }
}

// Rows [first, last) of a table with a score per class. score: a row per class; own, start, above: of each, as native/areas.hpp says.
template <typename S>
void bind_areas(In2<S> score, In<std::int64_t> truth, In<double> worth, In<double> weight, In<S> own, In<std::int64_t> start,
                In<double> above, In2<double> share, std::size_t first, std::size_t last, Out2<double> sums, Out<double> others,
                Out2<double> pairs) {
    const Unlocked unlocked;
    const ClassTable<S> table{score.data(), score.shape(1), score.shape(0), truth.data(), worth.data(), weight.data()};
    areas(table, first, last, own.data(), start.data(), above.data(), share.data(), share.shape(0), sums.data(), others.data(),
          pairs.data());
}

// The rows from first to last as bytes. columns: float64 or int64, contiguous.
nb::bytes bind_rows_of_text(nb::list arrays, std::size_t first, std::size_t last) {
    std::vector<TextColumn> columns;
    for (nb::handle one : arrays) {
        const Any array = nb::cast<Any>(one);
        const bool whole = array.dtype() == nb::dtype<std::int64_t>();
        columns.push_back({whole ? nullptr : static_cast<const double*>(array.data()),
                           whole ? static_cast<const std::int64_t*>(array.data()) : nullptr});
    }
    std::string found;
    {
        const Unlocked unlocked;
        found = rows_of_text(columns, first, last);
    }
    return nb::bytes(found.data(), found.size());
}

template <typename S>
void for_scores(nb::module_& m) {
    m.def("pairs_in_order", &bind_pairs_in_order<S>);
    m.def("mark_buckets", &bind_mark_buckets<S>);
    m.def("fill_buckets", &bind_fill_buckets<S>);
    m.def("pairs_of_buckets", &bind_pairs_of_buckets<S>);
    m.def("rank_buckets", &bind_rank_buckets<S>);
}

NB_MODULE(_native, m) {
    m.doc() = "The compiled kernels. Called through tallymark.kernels only.";
    m.attr("version") = TALLYMARK_VERSION;  // of the package that they were built for
    m.attr("clones") = tallymark::cloned;
    m.def("tally", &bind_tally);
    m.def("partition", &bind_partition<double>);
    m.def("partition", &bind_partition<float>);
    m.def("rank_few", &bind_rank_few<double>);
    m.def("rank_few", &bind_rank_few<float>);
    m.def("rank_in_order", &bind_rank_in_order<double>);
    m.def("rank_in_order", &bind_rank_in_order<float>);
    m.def("rank_distinct", &bind_rank_distinct<double>);
    m.def("rank_distinct", &bind_rank_distinct<float>);
    m.attr("most_distinct") = most_distinct;
    for_scores<double>(m);
    for_scores<float>(m);
    m.def("sort", &bind_sort<double>);
    m.def("sort", &bind_sort<float>);
    m.def("count_between", &bind_count_between<double>);
    m.def("count_between", &bind_count_between<float>);
    m.def("collapse", &bind_collapse<double>);
    m.def("collapse", &bind_collapse<float>);
    m.def("merge", &bind_merge<double, std::int64_t>);
    m.def("merge", &bind_merge<double, double>);
    m.def("merge", &bind_merge<float, std::int64_t>);
    m.def("merge", &bind_merge<float, double>);
    // Where no overload takes the arrays as they are, since they are not contiguous, the first one gets converted copies: of float64,
    // which holds them all.
    m.def("given_to_truth", &bind_given_to_truth<double, double>);
    m.def("given_to_truth", &bind_given_to_truth<double, std::int64_t>);
    m.def("given_to_truth", &bind_given_to_truth<float, double>);
    m.def("given_to_truth", &bind_given_to_truth<float, std::int64_t>);
    m.def("concordance", &bind_concordance<double>);
    m.def("concordance", &bind_concordance<std::int64_t>);
    m.def("hull", &bind_hull);
    m.def("corners", &bind_corners);
    m.def("sweep", &bind_sweep);
    // squares may be None
    m.def("curve_sums", &bind_curve_sums<double>, nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg(), nb::arg(),
          nb::arg(), nb::arg());
    m.def("curve_sums", &bind_curve_sums<std::int64_t>, nb::arg(), nb::arg(), nb::arg().none(), nb::arg().none(), nb::arg(), nb::arg(),
          nb::arg(), nb::arg());
    m.def("powers", &bind_powers);
    m.def("polynomials", &bind_polynomials);
    m.def("inversions", &bind_inversions);
    m.def("draw", &bind_draw);
    m.def("draw_poisson", &bind_draw_poisson);
    m.def("among", &bind_among);
    m.def("weighed", &bind_weighed);
    m.def("swept", &bind_swept);
    m.def("areas", &bind_areas<double>);
    m.def("areas", &bind_areas<float>);
    m.def("rows_of_text", &bind_rows_of_text);
}
