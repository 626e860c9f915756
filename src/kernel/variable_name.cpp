#include "kernel/variable_name.hpp"

#include "kernel/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hive {
namespace {

constexpr std::size_t name_max = 128;

constexpr std::array<std::string_view, 5> kept_prefixes{
    "HIVE_", "POCKETHIVE_", "LD_", "DYLD_", "GLIBC_"};
constexpr std::array<std::string_view, 18> kept_names{
    "PATH",
    "HOME",
    "IFS",
    "ENV",
    "BASH_ENV",
    "SHELLOPTS",
    "NODE_OPTIONS",
    "NODE_PATH",
    "PYTHONPATH",
    "PYTHONHOME",
    "PYTHONSTARTUP",
    "PERL5LIB",
    "PERL5OPT",
    "RUBYLIB",
    "RUBYOPT",
    "JAVA_TOOL_OPTIONS",
    "JDK_JAVA_OPTIONS",
    "_JAVA_OPTIONS"};

bool is_word(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

} // namespace

Status check_variable_name(std::string_view name) {
    const bool first_is_digit = !name.empty() && name.front() >= '0' && name.front() <= '9';
    if (name.empty() || name.size() > name_max || first_is_digit ||
        !std::ranges::all_of(name, is_word)) {
        return fail(
            Errc::invalid,
            fmt::format("'{}' is no name of an environment variable", printable(name)));
    }
    const bool kept =
        std::ranges::find(kept_names, name) != kept_names.end() ||
        std::ranges::any_of(kept_prefixes, [&](auto prefix) { return name.starts_with(prefix); });
    if (!kept) return {};
    return fail(Errc::denied, fmt::format("'{}' is not for scenarios to set", name));
}

} // namespace hive
