#include "kernel/config.hpp"

#include "kernel/text.hpp"

#include <algorithm>

namespace hive {
namespace {

constexpr std::size_t shown_max = 60;

std::string shown_value(const YamlNode& node, const OptionInfo& info) {
    if (node.kind != YamlNode::Kind::scalar) return std::string{name_of(node.kind)};
    if (info.secret) return std::string{masked};
    return fmt::format("'{}'", printable(node.text, shown_max));
}

template <class Matches>
Option* find_option(std::span<const std::unique_ptr<Option>> options, Matches matches) {
    const auto found = std::ranges::find_if(
        options, [&](const std::unique_ptr<Option>& option) { return matches(option->info); });
    return found == options.end() ? nullptr : found->get();
}

} // namespace

std::string OptionInfo::name() const {
    if (!key.empty()) return key;
    return flag.empty() ? positional : "--" + flag;
}

ValueProblem wrong_shape(const YamlNode& node, const OptionInfo& info) {
    ValueProblem problem{.at = node.at, .code = "wrong-type", .shown = shown_value(node, info)};
    // Inside a list or map each element is a single value again.
    const bool wants_many = info.arity == Arity::list || info.arity == Arity::map;
    if (wants_many && node.kind == YamlNode::Kind::scalar) {
        problem.reason = info.arity == Arity::list ? "expected a list like [a, b]"
                                                   : "expected a section of name: value lines";
    } else {
        problem.reason = fmt::format("expected {}", info.expected);
    }
    return problem;
}

ValueProblem bad_value(const YamlNode& node, const OptionInfo& info, const Error& error) {
    return {
        .at = node.at,
        .code = "bad-value",
        .shown = shown_value(node, info),
        .reason = error.detail.empty() ? fmt::format("expected {}", info.expected) : error.detail};
}

Option* OptionTable::find_key(std::string_view key) const noexcept {
    return find_option(options_, [&](const OptionInfo& i) { return !key.empty() && i.key == key; });
}

Option* OptionTable::find_flag(std::string_view flag) const noexcept {
    return find_option(
        options_, [&](const OptionInfo& i) { return !flag.empty() && i.flag == flag; });
}

Option* OptionTable::find_letter(char letter) const noexcept {
    return find_option(
        options_, [&](const OptionInfo& i) { return letter != 0 && i.letter == letter; });
}

std::string OptionTable::flag_for(std::string_view key) {
    std::string flag{key};
    std::ranges::replace(flag, '.', '-');
    return flag;
}

std::string OptionTable::env_for(std::string_view key) {
    std::string env = "HIVE_";
    for (const char c : key) {
        const bool lower = c >= 'a' && c <= 'z';
        env += lower ? static_cast<char>(c - 'a' + 'A') : (c == '.' || c == '-') ? '_' : c;
    }
    return env;
}

} // namespace hive
