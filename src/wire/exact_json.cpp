#include "wire/exact_json.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace hive::wire {
namespace {

namespace dom = simdjson::dom;

constexpr std::size_t kept_max = std::size_t{64} << 10U; // bytes; larger texts pin no memory
constexpr std::size_t capacity_min = 4096;               // bytes

json::value number_of(double number) {
    constexpr double whole_max = 1e16; // beyond it a double is written with an exponent
    if (std::abs(number) < whole_max && number == std::trunc(number)) {
        return static_cast<std::int64_t>(number);
    }
    return number;
}

// Recursion is bounded by the depth the parser accepted.
json::value value_of(const dom::element& element) {
    switch (element.type()) {
    case dom::element_type::ARRAY: {
        json::array array;
        for (const dom::element child : dom::array{element}) array.push_back(value_of(child));
        return array;
    }
    case dom::element_type::OBJECT: {
        json::object object;
        for (const auto [key, child] : dom::object{element}) {
            object.insert_or_assign(key, value_of(child));
        }
        return object;
    }
    case dom::element_type::INT64: return std::int64_t{element};
    case dom::element_type::UINT64: return std::uint64_t{element};
    case dom::element_type::DOUBLE: return number_of(double{element});
    case dom::element_type::STRING: return json::string{std::string_view{element}};
    case dom::element_type::BOOL: return bool{element};
    case dom::element_type::NULL_VALUE: return nullptr;
    }
    std::abort();
}

} // namespace

Result<json::value> parse_exact_json(std::string_view text, JsonLimits limits) {
    if (text.size() > limits.bytes) return parse_json(text, limits);
    thread_local dom::parser kept; // its memory is most of the cost of a small message
    dom::parser own;
    dom::parser& parser = text.size() <= kept_max ? kept : own;
    dom::element root;
    simdjson::error_code error = simdjson::SUCCESS;
    if (parser.capacity() < text.size() || parser.max_depth() != limits.depth) {
        error = parser.allocate(std::max(text.size(), capacity_min), limits.depth);
    }
    if (error == simdjson::SUCCESS) error = parser.parse(text.data(), text.size()).get(root);
    if (error == simdjson::SUCCESS) return value_of(root);
    // The other parser tells where it stopped.
    if (auto other = parse_json(text, limits); !other) return other;
    return fail(Errc::invalid, fmt::format("not valid JSON: {}", simdjson::error_message(error)));
}

} // namespace hive::wire
