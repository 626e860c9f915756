#include "template/sequence_format.hpp"

#include "kernel/text.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>
#include <optional>

namespace hive::templates {
namespace {

constexpr std::size_t tokens_max = 8;
constexpr std::size_t width_max = 64;

struct Mode {
    std::string_view name;
    std::string_view upper; // the alphabet of %S
    std::string_view lower; // the alphabet of %s
};

constexpr std::string_view digits = "0123456789";
constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view small = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view both = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view small_both = "0123456789abcdefghijklmnopqrstuvwxyz";

constexpr std::array<Mode, 8> modes{{
    {"alpha", letters, small},
    {"alpha_lower", small, small},
    {"numeric", digits, digits},
    {"alphanum", both, small_both},
    {"alphanum_lower", small_both, small_both},
    {"binary", digits.substr(0, 2), digits.substr(0, 2)},
    {"hex", both.substr(0, 16), small_both.substr(0, 16)},
    {"hex_lower", small_both.substr(0, 16), small_both.substr(0, 16)},
}};

struct Token {
    std::string_view before; // text in front of it
    std::string_view alphabet;
    std::size_t width = 0; // 0: as many as needed
    std::size_t size = 0;  // of its text, once written
};

struct Format {
    std::array<Token, tokens_max> tokens{};
    std::size_t count = 0;
    std::string_view after;
};

Result<Mode> mode_of(std::string_view name) {
    for (const Mode& mode : modes) {
        if (mode.name == name) return mode;
    }
    std::array<std::string_view, modes.size()> names{};
    for (std::size_t i = 0; i < modes.size(); ++i) names[i] = modes[i].name;
    std::string text = fmt::format("there is no sequence mode '{}'", printable(name, 40));
    if (const auto meant = nearest(name, names))
        return fail(Errc::invalid, text + "; did you mean '" + *meant + "'?");
    return fail(Errc::invalid, text + "; modes: " + fmt::format("{}", fmt::join(names, ", ")));
}

auto bad_format(std::string_view format, std::string_view why) {
    return fail(
        Errc::invalid, fmt::format("the sequence format '{}' {}", printable(format, 60), why));
}

std::optional<std::string_view> alphabet_of(char letter, const Mode& mode) {
    if (letter == 'S') return mode.upper;
    if (letter == 's') return mode.lower;
    if (letter == 'd') return digits;
    return std::nullopt;
}

// `rest` begins behind a '%'.
std::size_t take_width(std::string_view& rest) {
    std::size_t width = 0;
    while (!rest.empty() && rest.front() >= '0' && rest.front() <= '9' && width <= width_max) {
        width = width * 10 + static_cast<std::size_t>(rest.front() - '0');
        rest.remove_prefix(1);
    }
    return width;
}

Result<Format> parse(const Mode& mode, std::string_view format) {
    Format parsed;
    std::string_view rest = format;
    const char* from = rest.data();
    for (std::size_t at = rest.find('%'); at != rest.npos; at = rest.find('%')) {
        if (parsed.count == tokens_max) return bad_format(format, "has more than 8 tokens");
        Token& token = parsed.tokens[parsed.count];
        token.before = {from, rest.data() + at};
        rest.remove_prefix(at + 1);
        token.width = take_width(rest);
        if (token.width > width_max) return bad_format(format, "has a token wider than 64");
        const auto alphabet = rest.empty() ? std::nullopt : alphabet_of(rest.front(), mode);
        if (!alphabet) return bad_format(format, "has a '%' without S, s or d behind it");
        token.alphabet = *alphabet;
        if (parsed.count > 0 && token.width == 0) token.width = 1;
        rest.remove_prefix(1);
        from = rest.data();
        ++parsed.count;
    }
    if (parsed.count == 0) return bad_format(format, "has no token: %S, %s or %d");
    parsed.after = rest;
    return parsed;
}

// Turns the wheels of one token; what is left over drives the next one to the left.
std::uint64_t turn(Token& token, std::array<char, width_max>& wheels, std::uint64_t value) {
    const std::uint64_t base = token.alphabet.size();
    do {
        wheels[width_max - ++token.size] = token.alphabet[value % base];
        value /= base;
    } while (token.width == 0 ? value != 0 : token.size < token.width);
    return value;
}

} // namespace

Status check_sequence_format(std::string_view mode, std::string_view format) {
    const auto known = mode_of(mode);
    if (!known) return fail(known.error());
    const auto parsed = parse(*known, format);
    if (!parsed) return fail(parsed.error());
    return {};
}

Status append_sequence(
    std::string& out, std::uint64_t value, std::string_view mode, std::string_view format) {
    const auto known = mode_of(mode);
    if (!known) return fail(known.error());
    auto parsed = parse(*known, format);
    if (!parsed) return fail(parsed.error());
    std::array<std::array<char, width_max>, tokens_max> wheels; // each filled from its right end
    for (std::size_t i = parsed->count; i-- > 0;) {
        value = turn(parsed->tokens[i], wheels[i], value);
    }
    for (std::size_t i = 0; i < parsed->count; ++i) {
        const Token& token = parsed->tokens[i];
        out += token.before;
        out.append(wheels[i].data() + width_max - token.size, token.size);
    }
    out += parsed->after;
    return {};
}

} // namespace hive::templates
