#include "cli/config_patch.hpp"

#include <fmt/format.h>

#include <string>

namespace hive::cli {

Status set_in(json::object& patch, std::string_view assignment) {
    const auto wrong = [&](std::string_view why) {
        return fail(
            Errc::invalid,
            fmt::format(
                "--set {}: {}; write it as name=value or part.name=value", assignment, why));
    };
    const std::size_t equals = assignment.find('=');
    if (equals == assignment.npos) return wrong("there is no '='");
    std::string_view path = assignment.substr(0, equals);
    json::object* at = &patch;
    for (;;) {
        const std::size_t dot = path.find('.');
        const std::string_view name = path.substr(0, dot);
        if (name.empty()) return wrong("a name is missing");
        json::value& member = (*at)[name];
        if (dot == path.npos) {
            const std::string_view text = assignment.substr(equals + 1);
            auto parsed = parse_json(text);
            member = parsed ? std::move(*parsed) : json::value(json::string{text});
            return {};
        }
        if (member.is_null()) member = json::object{};
        if (!member.is_object()) return wrong(fmt::format("'{}' has a value already", name));
        at = &member.get_object();
        path.remove_prefix(dot + 1);
    }
}

} // namespace hive::cli
