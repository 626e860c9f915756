#pragma once

#include "wire/json_cursor.hpp"
#include "wire/shown.hpp"

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace hive::wire {

struct Field {
    std::string_view key; // as our encoder writes it after another field: comma, quotes, colon
    bool required = true;

    constexpr std::string_view name() const { return key.substr(2, key.size() - 4); }
};

// Reads the keys of a closed object: each at most once, none unknown, the required ones present.
template <std::size_t N>
class Fields {
public:
    static constexpr std::size_t none = N;

    explicit Fields(const std::array<Field, N>& fields) : fields_{fields} {}

    // Our own encoder writes fields in the order of the list and without white space, so this guess
    // is nearly always right. The place of the next field in the list, or none.
    std::size_t guess(JsonCursor& in, bool first) {
        if (next_ == N || (seen_ & (1U << next_)) != 0) return none;
        std::string_view key = fields_[next_].key;
        if (first) key.remove_prefix(1);
        if (!in.take_exactly(key)) return none;
        seen_ |= 1U << next_;
        return next_++;
    }
    // The first of the list were read together.
    void pass(std::size_t count) {
        seen_ |= (1U << count) - 1;
        next_ = count;
    }
    // The same for any other document. None when the key is unknown or was there before.
    std::size_t find(JsonCursor& in, std::string& why) {
        std::string_view key;
        if (!in.take_string(key) || !in.take(':')) {
            in.fail("expected a key and ':'");
            return none;
        }
        for (std::size_t place = 0; place < N; ++place) {
            if (name(place) != key) continue;
            if ((seen_ & (1U << place)) != 0) {
                why = in_quotes(key) + " appears twice";
                return none;
            }
            seen_ |= 1U << place;
            next_ = place + 1;
            return place;
        }
        why = in_quotes(key) + " is not a known field";
        return none;
    }
    std::string_view name(std::size_t place) const { return fields_[place].name(); }
    std::string_view missing() const { // empty when complete
        for (std::size_t i = 0; i < N; ++i) {
            if (fields_[i].required && (seen_ & (1U << i)) == 0) return name(i);
        }
        return {};
    }

private:
    const std::array<Field, N>& fields_;
    std::size_t next_ = 0;
    unsigned seen_ = 0;
};

} // namespace hive::wire
