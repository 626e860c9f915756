#include "cli/text_table.hpp"

#include "kernel/append_format.hpp"
#include "kernel/text.hpp"
#include "kernel/timestamp.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::cli {
namespace {

constexpr std::size_t cell_bytes_max = 400;
constexpr std::size_t field_bytes_max = std::size_t{128} << 10U;

std::string text_of(const json::value& value) {
    if (value.is_string()) return std::string{value.get_string()};
    if (value.is_null()) return {};
    if (!value.is_array()) return to_text(value);
    std::string out;
    for (const auto& item : value.get_array()) out += (out.empty() ? "" : ", ") + text_of(item);
    return out;
}

} // namespace

void TextTable::add(std::vector<std::string> cells) {
    widths_.resize(std::max(widths_.size(), cells.size()));
    for (std::size_t i = 0; i < cells.size(); ++i) {
        cells[i] = printable(cells[i], cell_bytes_max);
        widths_[i] = std::max(widths_[i], width_of(cells[i]));
    }
    rows_.push_back(std::move(cells));
}

std::string TextTable::text() const {
    std::string out;
    if (rows_.size() < 2) return out;
    for (const auto& row : rows_) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            out += row[i];
            if (i + 1 < row.size()) out.append(widths_[i] - width_of(row[i]) + 2, ' ');
        }
        while (out.ends_with(' ')) out.pop_back();
        out += '\n';
    }
    return out;
}

std::string fields_text(const std::vector<std::pair<std::string, std::string>>& fields) {
    std::size_t widest = 0;
    for (const auto& [name, value] : fields) {
        if (!value.empty()) widest = std::max(widest, name.size());
    }
    std::string out;
    for (const auto& [name, value] : fields) {
        if (value.empty()) continue;
        append_format(out, "{:<{}}  {}\n", name, widest, printable(value, field_bytes_max));
    }
    return out;
}

std::string member_text(const json::object& object, std::string_view name) {
    const auto* value = object.if_contains(name);
    return value == nullptr ? std::string{} : text_of(*value);
}

std::string member_time(const json::object& object, std::string_view name) {
    std::string text = member_text(object, name);
    const std::size_t point = text.find('.');
    return point == text.npos ? text : text.substr(0, point) + 'Z';
}

std::string member_age(const json::object& object, std::string_view name, Timestamp now) {
    const std::string text = member_text(object, name);
    const auto then = parse_timestamp(text);
    if (!then) return text;
    // The clocks of two machines differ a little: what is yet to come is now.
    const auto seconds =
        std::max<std::int64_t>(std::chrono::floor<std::chrono::seconds>(now - *then).count(), 0);
    if (seconds < 60) return fmt::format("{}s ago", seconds);
    if (seconds < 3600) return fmt::format("{}m ago", seconds / 60);
    if (seconds < 86400) return fmt::format("{}h ago", seconds / 3600);
    return fmt::format("{}d ago", seconds / 86400);
}

} // namespace hive::cli
