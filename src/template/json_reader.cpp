#include "template/json_reader.hpp"

#include "template/limits.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <charconv>
#include <cstring>
#include <limits>
#include <string>

namespace hive::templates {
namespace {

namespace dom = simdjson::dom;

auto out_of_memory() {
    return fail(Errc::limit, "the values need more memory than memory_bytes allows");
}
auto too_deep() {
    return fail(Errc::limit, fmt::format("nested more than {} deep", value_depth_max));
}

Result<Value> copied(std::string_view text, Arena& memory) {
    char* const at = memory.bytes(text.size());
    if (at == nullptr) return out_of_memory();
    if (!text.empty()) std::memcpy(at, text.data(), text.size());
    return Value::of(std::string_view{at, text.size()});
}

// Beyond 63 bits a number keeps its digits as text: printing it must not round it.
Result<Value> of_unsigned(std::uint64_t number, Arena& memory) {
    if (number <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
        return Value::of(static_cast<std::int64_t>(number));
    }
    return copied(std::to_string(number), memory);
}

class DomReader {
public:
    DomReader(Arena& memory, JsonReader::Texts texts) : memory_{memory}, texts_{texts} {}

    Result<Value> value(dom::element element) {
        switch (element.type()) {
        case dom::element_type::ARRAY: return list(dom::array{element});
        case dom::element_type::OBJECT: return map(dom::object{element});
        case dom::element_type::INT64: return Value::of(std::int64_t{element});
        case dom::element_type::UINT64: return of_unsigned(std::uint64_t{element}, memory_);
        case dom::element_type::DOUBLE: return Value::of(double{element});
        case dom::element_type::STRING: return text(std::string_view{element});
        case dom::element_type::BOOL: return Value::of(bool{element});
        case dom::element_type::NULL_VALUE: return Value{};
        }
        return Value{};
    }

private:
    Result<Value> text(std::string_view text) {
        if (texts_ == JsonReader::Texts::stay) return Value::of(text);
        return copied(text, memory_);
    }
    // The size that the tape keeps saturates; a longer list or map is counted by hand.
    template <class Container>
    static std::size_t size_of(const Container& container) {
        constexpr std::size_t saturated = 0xffffff;
        const std::size_t size = container.size();
        if (size < saturated) return size;
        std::size_t counted = 0;
        for ([[maybe_unused]] const auto& element : container) ++counted;
        return counted;
    }
    Result<Value> list(dom::array array) {
        const std::size_t size = size_of(array);
        auto* const items = memory_.array<Value>(size);
        if (items == nullptr) return out_of_memory();
        std::size_t i = 0;
        for (const dom::element element : array) {
            const auto item = value(element);
            if (!item) return item;
            items[i++] = *item;
        }
        return Value::of(std::span<const Value>{items, size});
    }
    Result<Value> map(dom::object object) {
        const std::size_t size = size_of(object);
        auto* const entries = memory_.array<Entry>(size);
        if (entries == nullptr) return out_of_memory();
        std::size_t i = 0;
        for (const auto& [name, element] : object) {
            const auto key = text(name);
            if (!key) return key;
            const auto item = value(element);
            if (!item) return item;
            entries[i++] = {key->text(), *item};
        }
        return Value::of(std::span<const Entry>{entries, size});
    }

    Arena& memory_;
    JsonReader::Texts texts_;
};

Result<Value> list_of(const json::array& array, Arena& memory, std::size_t depth);
Result<Value> map_of(const json::object& object, Arena& memory, std::size_t depth);

Result<Value> value_of(const json::value& value, Arena& memory, std::size_t depth) {
    if (depth == value_depth_max) return too_deep();
    switch (value.kind()) {
    case json::kind::null: return Value{};
    case json::kind::bool_: return Value::of(value.get_bool());
    case json::kind::int64: return Value::of(value.get_int64());
    case json::kind::uint64: return of_unsigned(value.get_uint64(), memory);
    case json::kind::double_: return Value::of(value.get_double());
    case json::kind::string: return copied(std::string_view{value.get_string()}, memory);
    case json::kind::array: return list_of(value.get_array(), memory, depth + 1);
    case json::kind::object: return map_of(value.get_object(), memory, depth + 1);
    }
    return Value{};
}

Result<Value> list_of(const json::array& array, Arena& memory, std::size_t depth) {
    auto* const items = memory.array<Value>(array.size());
    if (items == nullptr) return out_of_memory();
    for (std::size_t i = 0; i < array.size(); ++i) {
        const auto item = value_of(array[i], memory, depth);
        if (!item) return item;
        items[i] = *item;
    }
    return Value::of(std::span<const Value>{items, array.size()});
}

Result<Value> map_of(const json::object& object, Arena& memory, std::size_t depth) {
    auto* const entries = memory.array<Entry>(object.size());
    if (entries == nullptr) return out_of_memory();
    std::size_t i = 0;
    for (const auto& member : object) {
        const auto key = copied(std::string_view{member.key()}, memory);
        if (!key) return key;
        const auto item = value_of(member.value(), memory, depth);
        if (!item) return item;
        entries[i++] = {key->text(), *item};
    }
    return Value::of(std::span<const Entry>{entries, object.size()});
}

} // namespace

struct JsonReader::Parser {
    dom::parser parser;
    std::string padded; // the parser reads some bytes past the end
};

JsonReader::JsonReader() : parser_{std::make_unique<Parser>()} {}
JsonReader::JsonReader(JsonReader&&) noexcept = default;
JsonReader& JsonReader::operator=(JsonReader&&) noexcept = default;
JsonReader::~JsonReader() = default;

Result<Value> JsonReader::read(std::string_view text, Arena& memory, Texts texts) {
    auto& [parser, padded] = *parser_;
    padded.assign(text);
    padded.resize(text.size() + simdjson::SIMDJSON_PADDING, '\0');
    if (parser.capacity() < text.size() || parser.max_depth() != value_depth_max) {
        const std::size_t room = std::max<std::size_t>(text.size(), 1024);
        if (parser.allocate(room, value_depth_max) != simdjson::SUCCESS) return out_of_memory();
    }
    const auto root = parser.parse(padded.data(), text.size(), false);
    if (root.error() != simdjson::SUCCESS) {
        return fail(Errc::invalid, simdjson::error_message(root.error()));
    }
    return DomReader{memory, texts}.value(root.value_unsafe());
}

Result<Value> from_json(const json::value& value, Arena& memory) {
    return value_of(value, memory, 0);
}

} // namespace hive::templates
