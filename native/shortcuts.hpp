// Tables of cases without weights that need no sort: cases that are in order already, and cases with few distinct scores.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "rank.hpp"

namespace tallymark {

// The table of cases in the order of their scores, rising or falling. Returns the number of rows, or no_row where they are not in
// order, a score is NaN or there is a third label.
template <typename T, typename S>
std::size_t rank_in_order(const Column<T>& truth, const Column<S>& score, const Labels<T>& labels, bool falls, S* out,
                          std::int64_t* positive, std::int64_t* negative) {
    const std::size_t n = truth.size;
    std::size_t row = static_cast<std::size_t>(-1);
    S last = std::numeric_limits<S>::infinity();
    bool stray = false, fresh = true;
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t at = falls ? i : n - 1 - i;
        const S value = score[at] + S(0);
        if (!(value <= last)) return no_row;  // also a NaN
        fresh |= value != last;
        row += fresh;
        const bool hit = truth[at] == labels.positive;
        stray |= !hit && truth[at] != labels.negative;
        positive[row] = (fresh ? 0 : positive[row]) + hit;
        negative[row] = (fresh ? 0 : negative[row]) + !hit;
        out[row] = last = value;
        fresh = false;
    }
    return stray ? no_row : row + 1;
}

// The cases of some rows, and twice their pairs in the right order, a tie counting once.
struct InOrder {
    std::int64_t positives = 0, negatives = 0, twice = 0;
};

// Of rows [first, last) in the order of their scores, rising or falling, without a table. False where these and the row before are not
// in order, where that row has the same score as the first, where a score is NaN, and where there is a third label.
template <typename T, typename S>
bool pairs_in_order(const Column<T>& truth, const Column<S>& score, const Labels<T>& labels, bool falls, std::size_t first,
                    std::size_t last, InOrder& found) {
    std::int64_t above = 0, positives = 0, negatives = 0;
    const auto close = [&] {  // the score that ends here
        found.twice += negatives * (2 * above + positives);
        found.negatives += negatives;
        above += positives;
        positives = negatives = 0;
    };
    bool fine = first == 0 || (falls ? score[first - 1] > score[first] : score[first - 1] < score[first]);
    S before = score[falls ? first : last - 1];
    for (std::size_t i = 0; i < last - first && fine; ++i) {
        const std::size_t at = falls ? first + i : last - 1 - i;
        const bool hit = truth[at] == labels.positive;
        if (score[at] != before) close();
        fine = score[at] <= before && (hit || truth[at] == labels.negative);  // also a NaN
        before = score[at];
        positives += hit;
        negatives += !hit;
    }
    close();
    found.positives = above;
    return fine;
}

constexpr std::size_t most_distinct = 512, slots = 4 * most_distinct;

// The distinct scores and how many cases of each class there are at each.
template <typename S>
struct Counted {
    std::array<S, slots> score;
    std::array<std::array<std::int64_t, 2>, slots> cases{};
    std::array<bool, slots> taken{};
    std::size_t distinct = 0;

    // The slot of a score, which is not NaN.
    std::size_t slot(S value) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &value, sizeof value);
        std::size_t at = static_cast<std::size_t>(bits * 0x9E3779B97F4A7C15ULL >> 53);
        while (taken[at] && score[at] != value) at = (at + 1) % slots;
        if (!taken[at]) {
            taken[at] = true;
            score[at] = value;
            ++distinct;
        }
        return at;
    }
    std::size_t table(S* out, std::int64_t* positive, std::int64_t* negative) const {
        std::vector<std::size_t> rows;
        for (std::size_t at = 0; at < slots; ++at)
            if (taken[at]) rows.push_back(at);
        std::sort(rows.begin(), rows.end(), [this](std::size_t a, std::size_t b) { return score[a] > score[b]; });
        for (std::size_t row = 0; row < rows.size(); ++row) {
            out[row] = score[rows[row]];
            positive[row] = cases[rows[row]][1];
            negative[row] = cases[rows[row]][0];
        }
        return rows.size();
    }
};
static_assert(slots == std::size_t{1} << (64 - 53), "a slot is the 11 highest bits");

// The table of cases with few distinct scores. Returns the number of rows, at most most_distinct, or no_row where there are more, a
// score is NaN or there is a third label.
template <typename T, typename S>
std::size_t rank_distinct(const Column<T>& truth, const Column<S>& score, const Labels<T>& labels, S* out, std::int64_t* positive,
                          std::int64_t* negative) {
    Counted<S> found;
    std::uint8_t hit[block_rows];
    for (std::size_t start = 0; start < truth.size; start += block_rows) {
        const std::size_t size = std::min(block_rows, truth.size - start);
        if (mark(truth, start, size, labels, hit)) return no_row;
        for (std::size_t i = 0; i < size; ++i) {
            const S value = score[start + i] + S(0);
            if (value != value) return no_row;
            ++found.cases[found.slot(value)][hit[i]];
            if (found.distinct > most_distinct) return no_row;
        }
    }
    return found.table(out, positive, negative);
}

}  // namespace tallymark
