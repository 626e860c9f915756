#include "cli/command.hpp"

#include <algorithm>

namespace hive::cli {
namespace {

using Visit = std::function<void(const std::string&, const Command&)>;

void walk_below(const std::string& path, const Command& command, const Visit& visit) {
    visit(path, command);
    for (const Command& child : command.children) {
        walk_below(path + ' ' + child.text.name, child, visit);
    }
}

} // namespace

const Command* Command::find(std::string_view name) const noexcept {
    const auto found =
        std::ranges::find_if(children, [&](const Command& c) { return c.text.name == name; });
    return found == children.end() ? nullptr : &*found;
}

void walk(const Command& command, const Visit& visit) {
    walk_below(command.text.name, command, visit);
}

} // namespace hive::cli
