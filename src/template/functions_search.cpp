// Finding things in text and in JSON.
#include "template/function_groups.hpp"
#include "template/machine.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace hive::templates {
namespace {

Value regex_match(Machine& machine, const Args& args) {
    if (args[0].is_null()) return Value::of(false);
    const Regex* const pattern = machine.pattern(args, 1);
    if (pattern == nullptr) return {};
    const std::string_view text = machine.text_of(args[0]);
    if (!machine.charge(pattern->steps_for(text))) return {};
    return Value::of(pattern->found_in(text));
}

Status check_group(std::span<const Known> args) {
    if (args.size() < 3 || !args[2]) return {};
    const bool whole = args[2]->is(Kind::integer) && args[2]->integer() >= 0;
    if (!whole) return fail(Errc::invalid, "the group is a whole number from 0");
    return {};
}

Value regex_extract(Machine& machine, const Args& args) {
    const Regex* const pattern = machine.pattern(args, 1);
    if (pattern == nullptr) return {};
    const auto group =
        args.size() < 3 ? std::min<std::size_t>(1, pattern->groups()) : machine.integer_of(args[2]);
    if (!group || *group < 0) {
        return machine.fail(Errc::invalid, "the group is a whole number from 0");
    }
    const std::string_view text = machine.text_of(args[0]);
    if (!machine.charge(pattern->steps_for(text))) return {};
    return Value::of(pattern->group(text, static_cast<std::size_t>(*group)));
}

// One word of a pointer, with ~1 for '/' and ~0 for '~'.
std::string_view unescaped(Machine& machine, std::string_view word) {
    if (word.find('~') == word.npos) return word;
    std::string& out = machine.buffer();
    for (std::size_t i = 0; i < word.size(); ++i) {
        const bool escape =
            word[i] == '~' && i + 1 < word.size() && (word[i + 1] == '0' || word[i + 1] == '1');
        out += escape ? (word[++i] == '1' ? '/' : '~') : word[i];
    }
    return machine.text_of(machine.made());
}

Value step_into(Machine& machine, const Value& of, std::string_view word) {
    if (!of.is(Kind::list)) return machine.member(of, word);
    std::size_t at = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), at);
    const bool whole = read.ec == std::errc{} && read.ptr == word.data() + word.size();
    if (!whole || (word.size() > 1 && word.front() == '0') || at >= of.list().size()) return {};
    return of.list()[at];
}

Status check_pointer(std::span<const Known> args) {
    if (!args[1] || !args[1]->is(Kind::text)) return {};
    const std::string_view pointer = args[1]->text();
    if (pointer.empty() || pointer.starts_with('/')) return {};
    return fail(Errc::invalid, fmt::format("the pointer '{}' does not begin with '/'", pointer));
}

// Lists and maps come out as JSON text and what is missing as no text, as they always did.
Value json_path(Machine& machine, const Args& args) {
    Value at = args[0].is(Kind::text) ? machine.parse_json(args[0].text()) : machine.plain(args[0]);
    std::string_view rest = machine.text_of(args[1]);
    if (!rest.empty() && !rest.starts_with('/')) {
        return machine.fail(
            Errc::invalid, fmt::format("the pointer '{}' does not begin with '/'", rest));
    }
    while (!rest.empty() && !machine.failed()) {
        rest.remove_prefix(1);
        const std::size_t end = std::min(rest.find('/'), rest.size());
        at = step_into(machine, at, unescaped(machine, rest.substr(0, end)));
        rest.remove_prefix(end);
    }
    if (at.is_null()) return Value::of(std::string_view{});
    if (at.is(Kind::list) || at.is(Kind::map)) return Value::of(machine.text_of(at));
    return at;
}

} // namespace

std::span<const Function> search_functions() {
    static constexpr std::array<Function, 3> functions{{
        {"regex_match", 2, 2, regex_match, nullptr, 1},
        {"regex_extract", 2, 3, regex_extract, check_group, 1},
        {"json_path", 2, 2, json_path, check_pointer},
    }};
    return functions;
}

} // namespace hive::templates
