#include "wire/json_writer.hpp"

#include "kernel/append_format.hpp"
#include "wire/utf8.hpp"

#include <utility>

namespace hive::wire {

void JsonWriter::key(std::string_view name) {
    if (out_.back() != '{') out_ += ',';
    append_json_string(out_, name);
    out_ += ':';
}

void JsonWriter::open(std::string_view name) {
    key(name);
    out_ += '{';
}

void JsonWriter::close() {
    out_ += '}';
}

void JsonWriter::member(std::string_view name, std::string_view text) {
    key(name);
    append_json_string(out_, text);
}

void JsonWriter::member(std::string_view name, const std::optional<std::string>& text) {
    if (text) return member(name, std::string_view{*text});
    key(name);
    out_ += "null";
}

void JsonWriter::member(std::string_view name, bool value) {
    key(name);
    out_ += value ? "true" : "false";
}

void JsonWriter::member(std::string_view name, std::uint64_t value) {
    key(name);
    append_format(out_, "{}", value);
}

void JsonWriter::member(std::string_view name, const json::object& value) {
    key(name);
    append_json(out_, value);
}

void JsonWriter::member(std::string_view name, std::span<const std::string> texts) {
    key(name);
    out_ += '[';
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (i > 0) out_ += ',';
        append_json_string(out_, texts[i]);
    }
    out_ += ']';
}

std::string JsonWriter::finish() && {
    out_ += '}';
    return is_utf8(out_) ? std::move(out_) : repaired_utf8(out_);
}

} // namespace hive::wire
