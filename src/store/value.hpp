#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <variant>
#include <vector>

namespace hive::store {

using Null = std::monostate;
using Blob = std::span<const std::byte>;

// A parameter of a statement or a column of a row. It borrows text and bytes: a parameter lives
// until its statement ran, a column until its row handler returns. Text is UTF-8 without NUL on
// both engines. A bool is stored as the integer 0 or 1 on both.
using Value = std::variant<Null, bool, std::int64_t, double, std::string_view, Blob>;

template <class T>
Value or_null(const std::optional<T>& value) {
    return value ? Value{*value} : Value{Null{}};
}

inline Blob bytes_of(std::string_view text) {
    return std::as_bytes(std::span{text.data(), text.size()});
}
inline std::string_view text_of(Blob bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// The parameters $1..$n of one statement, written as a braced list at the call.
class Params {
public:
    Params() = default;
    Params(std::initializer_list<Value> values) : values_{values.begin(), values.size()} {}
    Params(const std::vector<Value>& values) : values_{values} {}
    explicit Params(std::span<const Value> values) : values_{values} {}

    std::size_t size() const { return values_.size(); }
    const Value& operator[](std::size_t i) const { return values_[i]; }
    auto begin() const { return values_.begin(); }
    auto end() const { return values_.end(); }

private:
    std::span<const Value> values_{};
};

} // namespace hive::store
