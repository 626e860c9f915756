#include "kernel/json_layout.hpp"

#include <algorithm>
#include <utility>

namespace hive {
namespace {

constexpr std::size_t short_line = 72;

bool is_flat(const json::value& value) {
    const auto is_scalar = [](const json::value& each) {
        return !each.is_object() && !each.is_array();
    };
    if (const auto* array = value.if_array()) return std::ranges::all_of(*array, is_scalar);
    if (const auto* object = value.if_object()) {
        return std::ranges::all_of(
            *object, [&](const auto& each) { return is_scalar(each.value()); });
    }
    return true;
}

class Layout {
public:
    std::string text{};

    void put(const json::value& value, std::size_t depth) {
        if (is_flat(value)) {
            std::string line = to_text(value);
            if (line.size() <= short_line) {
                text += line;
                return;
            }
        }
        if (const auto* object = value.if_object()) return put(*object, depth);
        if (const auto* array = value.if_array()) return put(*array, depth);
        text += to_text(value);
    }

private:
    void begin_line(std::size_t depth) { text.append("\n").append(2 * depth, ' '); }

    void put(const json::object& object, std::size_t depth) {
        text += '{';
        bool first = true;
        for (const auto& [name, member] : object) {
            if (!std::exchange(first, false)) text += ',';
            begin_line(depth + 1);
            text += to_text(json::value(name)) + ": ";
            put(member, depth + 1);
        }
        begin_line(depth);
        text += '}';
    }

    void put(const json::array& array, std::size_t depth) {
        text += '[';
        bool first = true;
        for (const auto& element : array) {
            if (!std::exchange(first, false)) text += ',';
            begin_line(depth + 1);
            put(element, depth + 1);
        }
        begin_line(depth);
        text += ']';
    }
};

} // namespace

std::string laid_out(const json::value& value) {
    Layout layout;
    layout.put(value, 0);
    return layout.text + '\n';
}

} // namespace hive
