#include "template/regex.hpp"

#include "kernel/text.hpp"

#include <fmt/format.h>
#include <re2/re2.h>

#include <array>

namespace hive::templates {
namespace {

constexpr std::size_t pattern_max = 4096;
constexpr std::size_t groups_max = 32;

re2::StringPiece piece(std::string_view text) {
    return {text.data(), text.size()};
}

// `(?<name>` is how Java writes what this engine knows as `(?P<name>`.
std::string with_named_groups(std::string_view pattern) {
    std::string out;
    bool escaped = false;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        out += pattern[i];
        const bool opens = !escaped && pattern.substr(i).starts_with("(?<") &&
                           !pattern.substr(i).starts_with("(?<=") &&
                           !pattern.substr(i).starts_with("(?<!");
        if (opens) {
            out += "?P";
            ++i; // the '?' is written
        }
        escaped = !escaped && pattern[i] == '\\';
    }
    return out;
}

} // namespace

Regex::Regex(std::unique_ptr<re2::RE2> compiled) : compiled_{std::move(compiled)} {}
Regex::Regex(Regex&&) noexcept = default;
Regex& Regex::operator=(Regex&&) noexcept = default;
Regex::~Regex() = default;

Result<Regex> Regex::compile(std::string_view pattern) {
    if (pattern.size() > pattern_max) {
        return fail(Errc::limit, fmt::format("a pattern may have {} bytes", pattern_max));
    }
    re2::RE2::Options options;
    options.set_dot_nl(true);
    options.set_log_errors(false);
    options.set_max_mem(std::int64_t{1} << 20U);
    auto compiled = std::make_unique<re2::RE2>(with_named_groups(pattern), options);
    if (!compiled->ok()) {
        return fail(
            Errc::invalid, fmt::format(
                               "the pattern '{}' cannot be used: {}", printable(pattern),
                               printable(compiled->error())));
    }
    if (compiled->NumberOfCapturingGroups() > static_cast<int>(groups_max)) {
        return fail(Errc::limit, fmt::format("a pattern may have {} groups", groups_max));
    }
    return Regex{std::move(compiled)};
}

bool Regex::found_in(std::string_view text) const {
    return compiled_->Match(piece(text), 0, text.size(), re2::RE2::UNANCHORED, nullptr, 0);
}

bool Regex::matches_all_of(std::string_view text) const {
    return compiled_->Match(piece(text), 0, text.size(), re2::RE2::ANCHOR_BOTH, nullptr, 0);
}

std::size_t Regex::groups() const {
    return static_cast<std::size_t>(compiled_->NumberOfCapturingGroups());
}

std::uint64_t Regex::steps_for(std::string_view text) const {
    const auto size = static_cast<std::uint64_t>(compiled_->ProgramSize());
    return text.size() / 8 * (1 + size / 100);
}

std::string_view Regex::group(std::string_view text, std::size_t number) const {
    if (number > groups()) return {};
    std::array<re2::StringPiece, groups_max + 1> found;
    const int wanted = static_cast<int>(number) + 1;
    if (!compiled_->Match(
            piece(text), 0, text.size(), re2::RE2::UNANCHORED, found.data(), wanted)) {
        return {};
    }
    return {found[number].data(), found[number].size()};
}

} // namespace hive::templates
