#pragma once

#include "kernel/json.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace hive::wire {

// Writes one JSON object from front to back. The result is valid UTF-8: broken bytes in a text are
// replaced by U+FFFD.
class JsonWriter {
public:
    JsonWriter() { out_ += '{'; }

    void open(std::string_view name); // an object inside the current one
    void close();

    void member(std::string_view name, std::string_view text);
    void member(std::string_view name, const std::optional<std::string>& text); // or null
    void member(std::string_view name, bool value);
    void member(std::string_view name, std::uint64_t value);
    void member(std::string_view name, const json::object& value);
    void member(std::string_view name, std::span<const std::string> texts);
    void member(std::string_view name, const char* text) { member(name, std::string_view{text}); }
    void member(std::string_view name, const std::string& text) {
        member(name, std::string_view{text});
    }

    std::string finish() &&;

private:
    void key(std::string_view name);

    std::string out_;
};

} // namespace hive::wire
