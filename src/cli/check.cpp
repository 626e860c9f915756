#include "cli/check.hpp"

#include "cli/exit_code.hpp"
#include "kernel/append_format.hpp"
#include "kernel/text.hpp"

#include <algorithm>
#include <cstdlib>

namespace hive::cli {
namespace {

struct Mark {
    std::string_view symbol;
    std::string_view color;
};

Mark mark_of(Health health) {
    switch (health) {
    case Health::good: return {"\u2713", "\x1b[32m"};
    case Health::note: return {"-", "\x1b[90m"};
    case Health::warning: return {"!", "\x1b[33m"};
    case Health::missing:
    case Health::bad_input: return {"\u2717", "\x1b[31m"};
    }
    std::abort();
}

bool any(std::span<const Check> checks, Health health) noexcept {
    return std::ranges::any_of(checks, [&](const Check& c) { return c.health == health; });
}

} // namespace

std::string_view name_of(Health health) noexcept {
    switch (health) {
    case Health::good: return "good";
    case Health::note: return "note";
    case Health::warning: return "warning";
    case Health::missing: return "missing";
    case Health::bad_input: return "bad-input";
    }
    std::abort();
}

std::string render(std::span<const Check> checks, bool colors) {
    std::size_t widest = 0;
    for (const Check& check : checks) widest = std::max(widest, check.name.size());
    std::string out;
    for (const Check& check : checks) {
        const Mark mark = mark_of(check.health);
        if (colors) out += mark.color;
        out += mark.symbol;
        if (colors) out += "\x1b[0m";
        append_format(out, " {:<{}}  {}\n", check.name, widest, printable(check.message, 1000));
        if (check.remedy.empty()) continue;
        append_format(out, "  {:<{}}  {}\n", "", widest, printable(check.remedy, 1000));
    }
    return out;
}

json::value to_json(std::span<const Check> checks) {
    json::array array;
    for (const Check& check : checks) {
        json::object object;
        object["name"] = check.name;
        object["health"] = name_of(check.health);
        object["message"] = check.message;
        if (!check.remedy.empty()) object["remedy"] = check.remedy;
        array.push_back(std::move(object));
    }
    return array;
}

int exit_code_of(std::span<const Check> checks) noexcept {
    if (any(checks, Health::bad_input)) return exit_bad_input;
    return any(checks, Health::missing) ? exit_failed : exit_ok;
}

} // namespace hive::cli
