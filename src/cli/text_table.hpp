#pragma once

#include "kernel/clock.hpp"
#include "kernel/json.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hive::cli {

// Rows for people in columns as wide as their widest cell. Cells are made safe to show.
class TextTable {
public:
    explicit TextTable(std::vector<std::string> heads) { add(std::move(heads)); }
    void add(std::vector<std::string> cells);
    std::string text() const; // nothing but the heads: empty

private:
    std::vector<std::vector<std::string>> rows_{};
    std::vector<std::size_t> widths_{};
};

// `owner    alice`, a line each; empty values are left out.
std::string fields_text(const std::vector<std::pair<std::string, std::string>>& fields);

// A member as text for people: lists by commas, missing as nothing.
std::string member_text(const json::object& object, std::string_view name);
// A time for people: to the second.
std::string member_time(const json::object& object, std::string_view name);
// How long ago that was: `3s ago`, in the largest unit that fits.
std::string member_age(const json::object& object, std::string_view name, Timestamp now);

} // namespace hive::cli
