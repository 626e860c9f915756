#pragma once

#include "kernel/clock.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace hive::wire {
class Headers;
struct WorkItem;
} // namespace hive::wire

namespace hive::templates {

enum class Kind : std::uint8_t {
    null,
    boolean,
    integer,
    real,
    text,
    list,
    map,
    instant,
    headers, // of a work item, looked up where they are
    item,    // the work item itself
};

std::string_view name_of(Kind kind) noexcept;

struct Entry;

// What an expression yields. Two words and no owner: text, lists and maps lie in the arena of the
// render, in the program or in the item, and nothing changes them once made.
class Value {
public:
    constexpr Value() noexcept : integer_{0} {}
    static constexpr Value of(bool value) noexcept { return {Kind::boolean, value ? 1 : 0}; }
    static constexpr Value of(std::int64_t value) noexcept { return {Kind::integer, value}; }
    static constexpr Value of(double value) noexcept { return Value{value}; }
    static Value of(std::string_view text) noexcept {
        return {Kind::text, text.data(), static_cast<std::uint32_t>(text.size())};
    }
    static Value of(Timestamp time) noexcept {
        return {Kind::instant, time.time_since_epoch().count()};
    }
    static Value of(std::span<const Value> items) noexcept {
        return {Kind::list, items.data(), static_cast<std::uint32_t>(items.size())};
    }
    static Value of(std::span<const Entry> entries) noexcept;
    static Value of(const wire::Headers& headers) noexcept { return {Kind::headers, &headers, 0}; }
    static Value of(const wire::WorkItem& item) noexcept { return {Kind::item, &item, 0}; }

    Kind kind() const noexcept { return kind_; }
    bool is(Kind kind) const noexcept { return kind_ == kind; }
    bool is_null() const noexcept { return kind_ == Kind::null; }
    bool is_number() const noexcept { return is(Kind::integer) || is(Kind::real); }

    // Each is for values of that kind only.
    bool boolean() const noexcept { return integer_ != 0; }
    std::int64_t integer() const noexcept { return integer_; }
    double real() const noexcept { return real_; }
    double number() const noexcept {
        return is(Kind::real) ? real_ : static_cast<double>(integer_);
    }
    std::string_view text() const noexcept { return {static_cast<const char*>(at_), size_}; }
    Timestamp instant() const noexcept { return Timestamp{Duration{integer_}}; }
    std::span<const Value> list() const noexcept { return {static_cast<const Value*>(at_), size_}; }
    std::span<const Entry> map() const noexcept;
    const wire::Headers& headers() const noexcept {
        return *static_cast<const wire::Headers*>(at_);
    }
    const wire::WorkItem& item() const noexcept { return *static_cast<const wire::WorkItem*>(at_); }

    // Bytes, items or entries: what looking at all of it costs.
    std::size_t weight() const noexcept { return size_; }

    // What counts as true: not null, not 0, not empty.
    bool truthy() const noexcept;

private:
    constexpr Value(Kind kind, std::int64_t integer) noexcept : kind_{kind}, integer_{integer} {}
    constexpr explicit Value(double real) noexcept : kind_{Kind::real}, real_{real} {}
    Value(Kind kind, const void* at, std::uint32_t size) noexcept
        : kind_{kind}, size_{size}, at_{at} {}

    Kind kind_ = Kind::null;
    std::uint32_t size_ = 0;
    union {
        std::int64_t integer_;
        double real_;
        const void* at_;
    };
};

struct Entry {
    std::string_view key;
    Value value;
};

inline Value Value::of(std::span<const Entry> entries) noexcept {
    return {Kind::map, entries.data(), static_cast<std::uint32_t>(entries.size())};
}
inline std::span<const Entry> Value::map() const noexcept {
    return {static_cast<const Entry*>(at_), size_};
}

inline bool Value::truthy() const noexcept {
    switch (kind_) {
    case Kind::null: return false;
    case Kind::boolean:
    case Kind::integer: return integer_ != 0;
    case Kind::real: return real_ != 0;
    case Kind::text:
    case Kind::list:
    case Kind::map: return size_ != 0;
    case Kind::instant:
    case Kind::headers:
    case Kind::item: return true;
    }
    return false;
}

// Of equal keys the last one counts, as in the JSON the map may come from.
const Value* find(std::span<const Entry> entries, std::string_view key) noexcept;

// As people write numbers: 3 and not 3.0, and no more digits than bring the same number back.
void append_number(std::string& out, std::int64_t value);
void append_number(std::string& out, double value);

} // namespace hive::templates
