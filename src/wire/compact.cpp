#include "wire/compact.hpp"

#include "kernel/json.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <iterator>

namespace hive::wire {
namespace {

namespace dom = simdjson::dom;

void append_double(std::string& out, double value) {
    const std::size_t start = out.size();
    fmt::format_to(std::back_inserter(out), "{}", value);
    // A whole double must not read back as an integer.
    if (out.find_first_of(".e", start) == out.npos) out += ".0";
}

void append_array(std::string& out, const dom::array& array) {
    out += '[';
    bool first = true;
    for (const dom::element element : array) {
        if (!first) out += ',';
        first = false;
        append_compact(out, element);
    }
    out += ']';
}

void append_object(std::string& out, const dom::object& object) {
    out += '{';
    bool first = true;
    for (const auto [key, value] : object) {
        if (!first) out += ',';
        first = false;
        append_json_string(out, key);
        out += ':';
        append_compact(out, value);
    }
    out += '}';
}

} // namespace

// Recursion is bounded by the depth the parser accepted.
void append_compact(std::string& out, const dom::element& value) {
    switch (value.type()) {
    case dom::element_type::ARRAY: append_array(out, dom::array{value}); return;
    case dom::element_type::OBJECT: append_object(out, dom::object{value}); return;
    case dom::element_type::INT64:
        fmt::format_to(std::back_inserter(out), "{}", std::int64_t{value});
        return;
    case dom::element_type::UINT64:
        fmt::format_to(std::back_inserter(out), "{}", std::uint64_t{value});
        return;
    case dom::element_type::DOUBLE: append_double(out, double{value}); return;
    case dom::element_type::STRING: append_json_string(out, std::string_view{value}); return;
    case dom::element_type::BOOL: out += bool{value} ? "true" : "false"; return;
    case dom::element_type::NULL_VALUE: out += "null"; return;
    }
    std::abort();
}

} // namespace hive::wire
