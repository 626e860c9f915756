#include "accounts/claims.hpp"

namespace hive::accounts {

std::string text_at(const json::object& object, std::string_view name) {
    const auto* value = object.if_contains(name);
    if (value == nullptr || !value->is_string()) return {};
    return std::string{value->get_string()};
}

std::vector<std::string> texts_at(const json::object& object, std::string_view name) {
    std::vector<std::string> texts;
    const auto* value = object.if_contains(name);
    if (value == nullptr) return texts;
    if (value->is_string()) return {std::string{value->get_string()}};
    if (!value->is_array()) return texts;
    for (const auto& element : value->get_array()) {
        if (element.is_string()) texts.emplace_back(element.get_string());
    }
    return texts;
}

bool is_true_at(const json::object& object, std::string_view name) {
    const auto* value = object.if_contains(name);
    if (value == nullptr) return false;
    return value->is_bool() ? value->get_bool() : text_at(object, name) == "true";
}

} // namespace hive::accounts
