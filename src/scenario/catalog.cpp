#include "scenario/catalog.hpp"

namespace hive::scenario {
namespace {

// Whether a declared path, with [] for any index and {} for any name, stands for this one.
bool stands_for(std::string_view declared, std::string_view path) {
    while (!declared.empty() && !path.empty()) {
        if (declared.starts_with("[]")) {
            const auto close = path.find(']');
            if (path.front() != '[' || close == path.npos) return false;
            declared.remove_prefix(2);
            path.remove_prefix(close + 1);
        } else if (declared.starts_with("{}")) {
            if (path.front() != '.') return false;
            declared.remove_prefix(2);
            if (declared.empty()) return true; // names may hold dots
            const auto dot = path.find('.', 1);
            path.remove_prefix(dot == path.npos ? path.size() : dot);
        } else {
            if (declared.front() != path.front()) return false;
            declared.remove_prefix(1);
            path.remove_prefix(1);
        }
    }
    return declared.empty() && path.empty();
}

} // namespace

const FieldInfo* find_field(const Capability& capability, std::string_view path) {
    for (const FieldInfo& field : capability.fields) {
        if (stands_for(field.path, path)) return &field;
    }
    return nullptr;
}

} // namespace hive::scenario
