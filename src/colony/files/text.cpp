#include "colony/files/text.hpp"

#include "kernel/text.hpp"

#include <algorithm>
#include <array>

namespace hive::colony::files {
namespace {

constexpr std::string_view mark = "\xef\xbb\xbf";
constexpr std::string_view replacement = "\xef\xbf\xbd";

struct Folding {
    std::string_view from;
    std::string_view to;
};

// U+2010 to U+2015, U+2212 and U+00AD are hyphens to us; U+00A0 and U+202F are spaces.
constexpr std::array foldings{
    Folding{"\xe2\x80\x90", "-"}, Folding{"\xe2\x80\x91", "-"}, Folding{"\xe2\x80\x92", "-"},
    Folding{"\xe2\x80\x93", "-"}, Folding{"\xe2\x80\x94", "-"}, Folding{"\xe2\x80\x95", "-"},
    Folding{"\xe2\x88\x92", "-"}, Folding{"\xc2\xad", "-"},     Folding{"\xc2\xa0", " "},
    Folding{"\xe2\x80\xaf", " "},
};

// For each combining mark: letters without and with it, in the same order.
struct Accent {
    std::string_view mark;
    std::string_view bare;
    std::array<std::string_view, 14> composed;
};
constexpr std::array accents{
    Accent{
        "\xcc\x80", "aeiouAEIOUnN", {"à", "è", "ì", "ò", "ù", "À", "È", "Ì", "Ò", "Ù", "ǹ", "Ǹ"}},
    Accent{
        "\xcc\x81",
        "aeiouyAEIOUYcC",
        {"á", "é", "í", "ó", "ú", "ý", "Á", "É", "Í", "Ó", "Ú", "Ý", "ć", "Ć"}},
    Accent{"\xcc\x82", "aeiouAEIOU", {"â", "ê", "î", "ô", "û", "Â", "Ê", "Î", "Ô", "Û"}},
    Accent{"\xcc\x83", "anoANO", {"ã", "ñ", "õ", "Ã", "Ñ", "Õ"}},
    Accent{"\xcc\x88", "aeiouyAEIOU", {"ä", "ë", "ï", "ö", "ü", "ÿ", "Ä", "Ë", "Ï", "Ö", "Ü"}},
    Accent{"\xcc\x8a", "auAU", {"å", "ů", "Å", "Ů"}},
    Accent{
        "\xcc\x8c", "cersznCERSZN", {"č", "ě", "ř", "š", "ž", "ň", "Č", "Ě", "Ř", "Š", "Ž", "Ň"}},
    Accent{"\xcc\xa7", "csCS", {"ç", "ş", "Ç", "Ş"}},
};

// Takes the last letter of `out` together with the mark at the start of `rest`, if they fit.
bool compose(std::string& out, std::string_view rest) {
    if (out.empty() || !rest.starts_with('\xcc')) return false;
    for (const Accent& accent : accents) {
        if (!rest.starts_with(accent.mark)) continue;
        const auto at = accent.bare.find(out.back());
        if (at == accent.bare.npos) return false;
        out.pop_back();
        out += accent.composed.at(at);
        return true;
    }
    return false;
}

} // namespace

std::string repaired(std::string_view bytes) {
    if (bytes.starts_with(mark)) bytes.remove_prefix(mark.size());
    std::string out;
    out.reserve(bytes.size());
    while (!bytes.empty()) {
        const auto bad = find_invalid_utf8(bytes);
        for (const char c : bytes.substr(0, bad.value_or(bytes.size()))) {
            if (c == '\0') {
                out += replacement;
            } else if (c == '\n' && out.ends_with('\r')) {
                out.back() = '\n';
            } else {
                out += c;
            }
        }
        if (!bad) break;
        out += replacement;
        bytes.remove_prefix(*bad + 1);
    }
    return out;
}

std::string folded(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    while (!text.empty()) {
        const auto* found = std::ranges::find_if(
            foldings, [&](const Folding& folding) { return text.starts_with(folding.from); });
        if (found != foldings.end()) {
            out += found->to;
            text.remove_prefix(found->from.size());
        } else if (compose(out, text)) {
            text.remove_prefix(2);
        } else {
            out += text.front();
            text.remove_prefix(1);
        }
    }
    return std::string{trimmed(out)};
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view blank = " \t\r\n";
    const auto first = text.find_first_not_of(blank);
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::string lowered(std::string_view text) {
    std::string out{text};
    std::ranges::transform(out, out.begin(), [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    });
    return out;
}

std::string raised(std::string_view text) {
    std::string out{text};
    std::ranges::transform(out, out.begin(), [](char c) {
        return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    });
    return out;
}

bool same_but_case(std::string_view a, std::string_view b) {
    return a.size() == b.size() && lowered(a) == lowered(b);
}

std::vector<std::string_view> lines_of(std::string_view text) {
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const auto end = text.find('\n');
        lines.push_back(text.substr(0, end));
        if (end == text.npos) break;
        text.remove_prefix(end + 1);
    }
    return lines;
}

std::vector<std::string_view> split(std::string_view text, std::string_view any_of) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const auto end = text.find_first_of(any_of);
        if (end != 0) parts.push_back(text.substr(0, end));
        if (end == text.npos) break;
        text.remove_prefix(end + 1);
    }
    return parts;
}

std::string_view clipped(std::string_view text, std::size_t max) {
    if (text.size() <= max) return text;
    // 10xxxxxx continues a character.
    while (max > 0 && (static_cast<unsigned char>(text[max]) & 0xc0U) == 0x80U) --max;
    return text.substr(0, max);
}

std::string slug(std::string_view text, std::size_t max) {
    std::string out;
    for (const char c : lowered(folded(text))) {
        if (out.size() >= max) break;
        if (is_word(c)) {
            out += c;
        } else if (!out.empty() && out.back() != '-') {
            out += '-';
        }
    }
    while (out.ends_with('-')) out.pop_back();
    return out;
}

bool all_digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, is_digit);
}

std::optional<int> number(std::string_view digits) {
    if (!all_digits(digits) || digits.size() > 6) return std::nullopt;
    int value = 0;
    for (const char c : digits) value = value * 10 + (c - '0');
    return value;
}

} // namespace hive::colony::files
