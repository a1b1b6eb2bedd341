// Values of some keys in JSON lines and in arrays of objects, as they are written. Only what is plain JSON is taken: objects of which
// every character is checked. Anything else (escapes in a key or in a value that is asked for, a key twice) is left to a slower reader.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace tallymark {

enum JsonKind : unsigned { json_whole = 1, json_decimal = 2, json_text = 4, json_boolean = 8, json_null = 16, json_other = 32 };

// The values of one key: one after the other in text, offsets between them; known: 1 where there is one; kinds: of all of them.
struct JsonColumn {
    std::string text;
    std::vector<std::int32_t> offsets{0};
    std::vector<std::uint8_t> known;
    unsigned kinds = 0;
    bool seen = false;
};

class JsonObjects {
  public:
    JsonObjects(const char* data, std::size_t size, const std::vector<std::string>& keys)
        : data(data), at(data), end(data + size), keys(keys), columns(keys.size()) {}

    // One object on every line; whether all of it could be read.
    bool read_lines() {
        while (at < end)
            if (!object() || !end_of_line()) return false;
        taken = size();
        return true;
    }

    // Objects of an array, each with the comma or bracket after it, up to the first that is not plain or not complete.
    void read_array() {
        line_ends = true;
        while (!done) {
            mark();
            spaces();
            if (!object() || !comma_or_bracket()) return back_to_marks();
            taken = size();
        }
    }

  private:
    const char* data;
    static constexpr int deepest = 64;
    const char* at;
    const char* end;
    const std::vector<std::string>& keys;
    bool line_ends = false;  // whether they may stand between the parts of an object

  public:
    std::vector<JsonColumn> columns;
    std::size_t taken = 0;  // characters that were read, with all that follows an object
    bool done = false;      // whether they end with the bracket that closes the array

  private:
    struct Value {
        unsigned kind;
        std::string_view text;
        bool escaped;
    };

    // A key of the last object, and its place among the keys that are asked for, or none.
    struct Key {
        std::string_view name;
        std::size_t place;
    };
    struct Mark {
        std::size_t text, rows;
        unsigned kinds;
    };
    std::vector<Key> last;
    std::vector<Mark> marks;
    std::vector<std::string_view> sorted;

    std::size_t size() const { return static_cast<std::size_t>(at - data); }
    void mark() {
        marks.clear();
        for (const JsonColumn& column : columns) marks.push_back({column.text.size(), column.known.size(), column.kinds});
    }
    void back_to_marks() {
        for (std::size_t i = 0; i < columns.size(); ++i) {
            columns[i].text.resize(marks[i].text);
            columns[i].known.resize(marks[i].rows);
            columns[i].offsets.resize(marks[i].rows + 1);
            columns[i].kinds = marks[i].kinds;
        }
    }
    void spaces() {
        if (at < end && *at == ' ') ++at;
        if (at < end && *at > ' ') return;  // mostly
        while (at < end && (*at == ' ' || *at == '\t' || (line_ends && (*at == '\n' || *at == '\r')))) ++at;
    }
    bool next(char wanted) {
        spaces();
        if (at == end || *at != wanted) return false;
        ++at;
        return true;
    }
    bool end_of_line() {
        spaces();
        return at == end || *at++ == '\n';
    }
    bool comma_or_bracket() {
        spaces();
        if (at == end || (*at != ',' && *at != ']')) return false;
        done = *at++ == ']';
        return true;
    }
    bool object() {
        for (JsonColumn& column : columns) column.seen = false;
        if (!next('{') || (!next('}') && (!pairs() || !next('}')))) return false;
        for (JsonColumn& column : columns) {
            if (!column.seen) column.known.push_back(0);
            column.offsets.push_back(static_cast<std::int32_t>(column.text.size()));
        }
        return true;
    }
    // Keys and values. Objects mostly have the keys of the one before, of which none occurs twice.
    bool pairs() {
        std::size_t number = 0;
        bool same = true;
        do {
            Value value;
            spaces();
            same = same && number < last.size() && quoted(last[number].name);
            if ((!same && !another(number)) || !next(':') || !any(value, 0)) return false;
            if (!keep(last[number++].place, value)) return false;
        } while (next(','));
        return same || no_key_twice();
    }
    // Whether this text follows, between quotation marks; it is read then.
    bool quoted(std::string_view text) {
        const std::size_t size = text.size() + 2;
        if (static_cast<std::size_t>(end - at) < size || *at != '"' || at[size - 1] != '"') return false;
        if (std::memcmp(at + 1, text.data(), text.size()) != 0) return false;
        at += size;
        return true;
    }
    // Reads a key that the object before did not have in this place.
    bool another(std::size_t number) {
        Value key;
        if (!string(key) || key.escaped) return false;
        last.resize(number);
        last.push_back({key.text, place_of(key.text)});
        return true;
    }
    std::size_t place_of(std::string_view key) const {
        return static_cast<std::size_t>(std::find(keys.begin(), keys.end(), key) - keys.begin());
    }
    bool no_key_twice() {
        sorted.clear();
        for (const Key& key : last) sorted.push_back(key.name);
        std::sort(sorted.begin(), sorted.end());
        return std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
    }
    bool keep(std::size_t place, const Value& value) {
        if (place == keys.size()) return true;
        JsonColumn& column = columns[place];
        if (column.seen || value.escaped) return false;
        column.seen = true;
        column.known.push_back(value.kind != json_null);
        column.kinds |= value.kind;
        if (value.kind != json_null) column.text.append(value.text);
        return true;
    }
    bool any(Value& found, int depth) {
        spaces();
        if (at == end) return false;
        const char* from = at;
        found = {json_other, {}, false};
        if (*at == '"') return string(found);
        if (*at == '{' || *at == '[') return nested(depth);
        if (*at == '-' || (*at >= '0' && *at <= '9')) return number(found);
        if (!word("true") && !word("false")) {
            found.kind = json_null;
            return word("null");
        }
        found = {json_boolean, {from, static_cast<std::size_t>(at - from)}, false};
        return true;
    }
    bool word(std::string_view wanted) {
        if (static_cast<std::size_t>(end - at) < wanted.size() || std::memcmp(at, wanted.data(), wanted.size()) != 0) return false;
        at += wanted.size();
        return true;
    }
    bool nested(int depth) {
        if (depth == deepest) return false;
        const bool object = *at++ == '{';
        const char close = object ? '}' : ']';
        if (next(close)) return true;
        Value part;
        do {
            spaces();
            if (object && (!string(part) || !next(':'))) return false;
            if (!any(part, depth + 1)) return false;
        } while (next(','));
        return next(close);
    }
    bool string(Value& found) {
        if (at == end || *at != '"') return false;
        const char* from = ++at;
        bool escaped = false;
        at = plain_end(at);
        for (; at < end && *at != '"'; ++at) {
            if (static_cast<unsigned char>(*at) < 0x20) return false;
            if (*at == '\\') {
                escaped = true;
                if (!escape()) return false;
            }
        }
        if (at == end) return false;
        found = {json_text, {from, static_cast<std::size_t>(at - from)}, escaped};
        ++at;
        return true;
    }
    // Where the first quotation mark, escape or control character is, or the end.
    const char* plain_end(const char* one) const {
        while (one < end && *one != '"' && *one != '\\' && static_cast<unsigned char>(*one) >= 0x20) ++one;
        return one;
    }
    // Leaves at on the last character of the escape.
    bool escape() {
        if (++at == end) return false;
        if (*at != 'u') return std::strchr("\"\\/bfnrt", *at) != nullptr && *at != '\0';
        for (int i = 0; i < 4; ++i)
            if (++at == end || !hexadecimal(*at)) return false;
        return true;
    }
    static bool hexadecimal(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
    // Where the digits end that begin here. Eight characters at a time: how many there are is hard to predict.
    const char* digits_end(const char* one) const {
        if constexpr (std::endian::native == std::endian::little) {
            for (; end - one >= 8; one += 8) {
                std::uint64_t eight;
                std::memcpy(&eight, one, 8);
                eight ^= 0x3030303030303030;
                const std::uint64_t others = (((eight & 0x7f7f7f7f7f7f7f7f) + 0x7676767676767676) | eight) & 0x8080808080808080;
                if (others != 0) return one + std::countr_zero(others) / 8;
            }
        }
        while (one < end && *one >= '0' && *one <= '9') ++one;
        return one;
    }
    bool digits() {
        const char* from = at;
        at = digits_end(at);
        return at > from;
    }
    bool number(Value& found) {
        const char* from = at;
        bool whole = true;
        if (*at == '-') ++at;
        const char* first = at;
        if (!digits() || (*first == '0' && at > first + 1)) return false;
        if (at < end && *at == '.') {
            whole = false;
            ++at;
            if (!digits()) return false;
        }
        if (at < end && (*at == 'e' || *at == 'E')) {
            whole = false;
            ++at;
            if (at < end && (*at == '+' || *at == '-')) ++at;
            if (!digits()) return false;
        }
        found = {whole ? json_whole : json_decimal, {from, static_cast<std::size_t>(at - from)}, false};
        return true;
    }
};

}  // namespace tallymark
