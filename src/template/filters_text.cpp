#include "kernel/digest.hpp"
#include "kernel/encoding.hpp"
#include "kernel/text.hpp"
#include "kernel/timestamp.hpp"
#include "template/date_pattern.hpp"
#include "template/function_groups.hpp"
#include "template/machine.hpp"
#include "template/text_search.hpp"

#include <fmt/format.h>

#include <array>

namespace hive::templates {
namespace {

constexpr std::string_view spaces = " \t\r\n\f\v";

char upper_of(char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
}
char lower_of(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

// Letters beyond ASCII stay as they are.
template <char (*change)(char)>
Value each_letter(Machine& machine, const Args& args) {
    const std::string_view text = machine.text_of(args[0]);
    std::string& out = machine.buffer();
    for (const char c : text) out += change(c);
    return machine.made();
}

Value trim(Machine& machine, const Args& args) {
    std::string_view text = machine.text_of(args[0]);
    text.remove_prefix(std::min(text.find_first_not_of(spaces), text.size()));
    return Value::of(text.substr(0, text.find_last_not_of(spaces) + 1));
}

Value capitalize(Machine& machine, const Args& args) {
    const std::string_view text = machine.text_of(args[0]);
    std::string& out = machine.buffer();
    out += text;
    const std::size_t first = text.find_first_not_of(spaces);
    if (first != text.npos) out[first] = upper_of(out[first]);
    return machine.made();
}

Value title(Machine& machine, const Args& args) {
    const std::string_view text = machine.text_of(args[0]);
    std::string& out = machine.buffer();
    bool begins = true;
    for (const char c : text) {
        out += begins ? upper_of(c) : c;
        begins = spaces.find(c) != spaces.npos;
    }
    return machine.made();
}

Value with_default(Machine& /*machine*/, const Args& args) {
    return args[0].truthy() || args[0].is(Kind::boolean) || args[0].is_number() ? args[0] : args[1];
}

Value escape(Machine& machine, const Args& args) {
    const std::string_view text = machine.text_of(args[0]);
    std::string& out = machine.buffer();
    for (const char c : text) {
        switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        case '\'': out += "&#39;"; break;
        default: out += c;
        }
    }
    return machine.made();
}

// As a form writes it: a space is a plus.
Value urlencode(Machine& machine, const Args& args) {
    const std::string_view text = machine.text_of(args[0]);
    std::string& out = machine.buffer();
    constexpr std::string_view hex = "0123456789ABCDEF";
    constexpr std::string_view plain =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-*_";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == ' ') {
            out += '+';
        } else if (plain.find(c) != plain.npos) {
            out += c;
        } else {
            out += '%';
            out += hex[byte >> 4U];
            out += hex[byte & 0xfU];
        }
    }
    return machine.made();
}

Value replaced(Machine& machine, std::string_view text, const Value& from, const Value& to) {
    const std::string_view what = machine.text_of(from);
    const std::string_view with = machine.text_of(to);
    if (what.empty()) return Value::of(text);
    std::string& out = machine.buffer();
    while (!machine.failed()) {
        const std::size_t at = find_text(text, what);
        out += text.substr(0, at);
        if (at == text.npos) break;
        out += with;
        machine.charge(1 + with.size() / 32);
        if (out.size() > machine.state().limits.memory_bytes) break; // made() will say so
        text.remove_prefix(at + what.size());
    }
    return machine.made();
}

// replace({'a': 'b', ...}) or replace('a', 'b')
Value replace(Machine& machine, const Args& args) {
    if (args.size() == 3) return replaced(machine, machine.text_of(args[0]), args[1], args[2]);
    const Value map = machine.plain(args[1]);
    if (!map.is(Kind::map)) {
        return machine.fail(Errc::invalid, "replace takes a map, or what to replace and with what");
    }
    Value text = Value::of(machine.text_of(args[0]));
    for (const Entry& entry : map.map()) {
        text = replaced(machine, machine.text_of(text), Value::of(entry.key), entry.value);
    }
    return text;
}

Value split(Machine& machine, const Args& args) {
    const std::string_view text = machine.text_of(args[0]);
    const std::string_view by = machine.text_of(args[1]);
    if (by.empty()) return machine.fail(Errc::invalid, "split needs a text to split at");
    const auto limit = args.size() < 3 ? 0 : machine.integer_of(args[2]).value_or(0);
    std::size_t count = 1;
    for (std::string_view rest = text; find_text(rest, by) != rest.npos; ++count) {
        rest.remove_prefix(find_text(rest, by) + by.size());
    }
    if (limit > 0) count = std::min(count, static_cast<std::size_t>(limit));
    const auto parts = machine.new_list(count);
    std::string_view rest = text;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const std::size_t end = i + 1 == count ? rest.size() : find_text(rest, by);
        parts[i] = Value::of(rest.substr(0, end));
        rest.remove_prefix(std::min(end + by.size(), rest.size()));
    }
    return Value::of(std::span<const Value>{parts});
}

Value abbreviate(Machine& machine, const Args& args) {
    const std::string_view text = machine.text_of(args[0]);
    const auto most = machine.integer_of(args[1]);
    if (!most || *most < 4) return machine.fail(Errc::invalid, "abbreviate needs a length from 4");
    const auto size = static_cast<std::size_t>(*most);
    if (width_of(text) <= size) return Value::of(text);
    std::size_t end = 0;
    for (std::size_t characters = 0; end < text.size(); ++end) {
        const bool begins = (static_cast<unsigned char>(text[end]) & 0xc0U) != 0x80U;
        if (begins && ++characters > size - 3) break;
    }
    std::string& out = machine.buffer();
    out += text.substr(0, end);
    out += "...";
    return machine.made();
}

template <class Digest>
Value hex(Machine& machine, const Digest& digest) {
    append_hex(machine.buffer(), digest);
    return machine.made();
}

Value sha256_filter(Machine& machine, const Args& args) {
    const std::string_view text = machine.text_of(args[0]);
    machine.charge(text.size() / 16);
    return hex(machine, sha256(bytes_of(text)));
}

Value base64_encode_filter(Machine& machine, const Args& args) {
    const std::string_view text = machine.text_of(args[0]);
    append_base64(machine.buffer(), bytes_of(text));
    return machine.made();
}

Value base64_decode_filter(Machine& machine, const Args& args) {
    const auto decoded = from_base64(machine.text_of(args[0]));
    if (!decoded) return machine.fail(decoded.error());
    return machine.keep(text_of(*decoded));
}

Value json_encode(Machine& machine, const Args& args) {
    std::string out;
    machine.append_json(out, args[0]);
    return machine.keep(out);
}

Value raw(Machine& /*machine*/, const Args& args) {
    return args[0];
}

Value string(Machine& machine, const Args& args) {
    return Value::of(machine.text_of(args[0]));
}

Status check_date(std::span<const Known> args) {
    if (!args[1] || !args[1]->is(Kind::text)) return {};
    return check_date_pattern(args[1]->text());
}

Value date(Machine& machine, const Args& args) {
    Value time = args[0];
    if (time.is_null()) return time;
    if (time.is(Kind::integer)) { // milliseconds, as everywhere in Java
        constexpr std::int64_t most = INT64_MAX / 1'000'000;
        if (time.integer() > most || time.integer() < -most) {
            return machine.fail(Errc::invalid, "date: these milliseconds are beyond the year 2261");
        }
        time = Value::of(Timestamp{std::chrono::milliseconds{time.integer()}});
    }
    if (time.is(Kind::text)) {
        const auto parsed = parse_timestamp(time.text());
        if (!parsed) return machine.fail(parsed.error());
        time = Value::of(*parsed);
    }
    if (!time.is(Kind::instant)) {
        return machine.fail(
            Errc::invalid, fmt::format("date needs a time, not {}", name_of(time.kind())));
    }
    const std::string_view pattern = machine.text_of(args[1]);
    const Status written = append_date(machine.buffer(), time.instant(), pattern);
    return written ? machine.made() : machine.fail(written.error());
}

} // namespace

std::span<const Function> text_filters() {
    static constexpr std::array<Function, 22> filters{{
        {"upper", 1, 1, each_letter<upper_of>},
        {"lower", 1, 1, each_letter<lower_of>},
        {"trim", 1, 1, trim},
        {"capitalize", 1, 1, capitalize},
        {"title", 1, 1, title},
        {"default", 2, 2, with_default},
        {"escape", 1, 2, escape},
        {"e", 1, 2, escape},
        {"raw", 1, 1, raw},
        {"urlencode", 1, 1, urlencode},
        {"replace", 2, 3, replace},
        {"split", 2, 3, split},
        {"abbreviate", 2, 2, abbreviate},
        {"sha256", 1, 1, sha256_filter},
        {"base64encode", 1, 1, base64_encode_filter},
        {"base64decode", 1, 1, base64_decode_filter},
        {"json_encode", 1, 1, json_encode},
        {"tojson", 1, 1, json_encode},
        {"json", 1, 1, json_encode},
        {"string", 1, 1, string},
        {"toString", 1, 1, string},
        {"date", 2, 2, date, check_date},
    }};
    return filters;
}

} // namespace hive::templates
