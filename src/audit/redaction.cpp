#include "audit/redaction.hpp"

#include <algorithm>
#include <array>

namespace hive::audit {
namespace {

using std::string_view;

// Compared with names in lower case and without separators.
constexpr std::array<string_view, 15> secret_parts{
    "password",      "passwd",     "passphrase",    "secret",    "token",
    "authorization", "credential", "cookie",        "apikey",    "privatekey",
    "accesskey",     "signingkey", "encryptionkey", "masterkey", "bearer"};
constexpr std::array<string_view, 7> secret_names{"key",  "keys", "auth", "pwd",
                                                  "pass", "pin",  "otp"};
constexpr std::array<string_view, 12> harmless_endings{
    "id",   "ids",     "prefix",    "last4",     "kind",  "type",
    "name", "expires", "expiresat", "createdat", "count", "scopes"};

constexpr bool is_lower(char c) {
    return c >= 'a' && c <= 'z';
}
constexpr bool is_upper(char c) {
    return c >= 'A' && c <= 'Z';
}
constexpr bool is_alnum(char c) {
    return is_lower(c) || is_upper(c) || (c >= '0' && c <= '9');
}
constexpr char lower(char c) {
    return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}
constexpr bool is_word(char c) {
    return is_alnum(c) || c == '_' || c == '-';
}
constexpr bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}
constexpr bool ends_value(char c) {
    return is_space(c) || string_view{"&;,\"')]}"}.find(c) != string_view::npos;
}

std::string plain_name(string_view name) {
    std::string plain;
    for (const char c : name) {
        if (is_alnum(c)) plain += lower(c);
    }
    return plain;
}

template <class Condition>
std::size_t end_of_run(string_view text, std::size_t from, Condition&& inside) {
    while (from < text.size() && inside(text[from])) ++from;
    return from;
}

bool is_scheme(string_view word) {
    const std::string name = plain_name(word);
    return name == "bearer" || name == "basic";
}

// `hive` keys and their like: letters, '_', then at least 30 digits of base 62. Lower-case hex and
// ids in a single case (UUID, ULID) are not keys; 30 random digits are of both cases.
bool looks_like_key(string_view word) {
    constexpr std::size_t tail_min = 30;
    constexpr std::size_t prefixed_min = 20;
    for (const string_view prefix : {"sk-", "whsec_", "whsk_"}) {
        if (word.starts_with(prefix) && word.size() >= prefixed_min) return true;
    }
    const std::size_t underscore = word.rfind('_');
    if (underscore == string_view::npos || underscore < 2) return false;
    if (!is_lower(lower(word.front()))) return false;
    const string_view tail = word.substr(underscore + 1);
    return tail.size() >= tail_min && std::ranges::all_of(tail, is_alnum) &&
           std::ranges::any_of(tail, is_lower) && std::ranges::any_of(tail, is_upper);
}

// "Basic authentication" is prose; credentials are longer than a word or not all lower case.
bool looks_like_credential(string_view run) {
    constexpr std::size_t credential_min = 8;
    constexpr std::size_t word_max = 20;
    return run.size() > word_max ||
           (run.size() >= credential_min && !std::ranges::all_of(run, is_lower));
}

// Walks over the text once; each finder returns where its secret ends, or where it began when
// there is none.
class Scanner {
public:
    explicit Scanner(string_view text) : text_{text} {}

    std::string run() {
        while (at_ < text_.size()) {
            if (is_word(text_[at_])) {
                take_word();
            } else if (text_.substr(at_).starts_with("://")) {
                take_authority();
            } else {
                out_ += text_[at_++];
            }
        }
        return std::move(out_);
    }

private:
    void take_word() {
        const std::size_t end = end_of_run(text_, at_, is_word);
        const string_view word = text_.substr(at_, end - at_);
        if (const std::size_t token = end_of_web_token(end); token > end) {
            hide(token);
        } else if (looks_like_key(word)) {
            // Some keys go on in base64, whose last digits are not part of a word.
            hide(end_of_run(
                text_, end, [](char c) { return is_word(c) || c == '+' || c == '/' || c == '='; }));
        } else if (const std::size_t credential = start_of_credential(word, end);
                   credential > end) {
            keep(credential);
            hide(end_of_run(text_, at_, [](char c) { return !is_space(c); }));
        } else if (const std::size_t value = start_of_value(word, end); value > end) {
            keep(value);
            hide(end_of_value());
        } else {
            keep(end);
        }
    }

    std::size_t end_of_web_token(std::size_t end) const {
        if (!text_.substr(at_).starts_with("eyJ")) return end;
        const std::size_t token =
            end_of_run(text_, end, [](char c) { return is_word(c) || c == '.'; });
        const string_view run = text_.substr(at_, token - at_);
        return std::ranges::count(run, '.') >= 2 ? token : end;
    }

    std::size_t start_of_credential(string_view word, std::size_t end) const {
        if (!is_scheme(word) || end >= text_.size() || text_[end] != ' ') return end;
        const std::size_t stop = end_of_run(text_, end + 1, [](char c) { return !is_space(c); });
        return looks_like_credential(text_.substr(end + 1, stop - end - 1)) ? end + 1 : end;
    }

    // After `password=`, `"token": "` and the like.
    std::size_t start_of_value(string_view word, std::size_t end) const {
        std::size_t at = end;
        if (at < text_.size() && text_[at] == '"') ++at;
        if (at >= text_.size() || (text_[at] != '=' && text_[at] != ':')) return end;
        ++at;
        if (at < text_.size() && text_[at] == ' ') ++at;
        if (at < text_.size() && (text_[at] == '"' || text_[at] == '\'')) ++at;
        if (at >= text_.size() || ends_value(text_[at]) || !names_a_secret(word)) return end;
        return at;
    }

    // `Authorization: Bearer abc` has two words in its value.
    std::size_t end_of_value() const {
        const auto inside = [](char c) { return !ends_value(c); };
        const std::size_t end = end_of_run(text_, at_, inside);
        const bool scheme = is_scheme(text_.substr(at_, end - at_));
        if (!scheme || end >= text_.size() || text_[end] != ' ') return end;
        return end_of_run(text_, end + 1, inside);
    }

    void take_authority() {
        keep(at_ + 3);
        const std::size_t end = end_of_run(text_, at_, [](char c) {
            return !is_space(c) && c != '/' && c != '?' && c != '#' && c != '"';
        });
        const string_view authority = text_.substr(at_, end - at_);
        const std::size_t sign = authority.rfind('@');
        const std::size_t colon = authority.find(':');
        if (sign == string_view::npos || colon == string_view::npos || colon + 1 >= sign) return;
        const std::size_t start = at_;
        keep(start + colon + 1);
        hide(start + sign);
    }

    void keep(std::size_t end) {
        out_ += text_.substr(at_, end - at_);
        at_ = end;
    }
    void hide(std::size_t end) {
        out_ += redacted;
        at_ = end;
    }

    string_view text_;
    std::size_t at_ = 0;
    std::string out_{};
};

// PEM blocks span many words, so they go before the words are looked at.
std::string without_private_keys(string_view text) {
    constexpr string_view begin = "-----BEGIN ";
    constexpr string_view label = "PRIVATE KEY-----";
    constexpr string_view finish = "-----END ";
    constexpr std::size_t label_reach = 64; // "ENCRYPTED", "OPENSSH" and so on stand before it
    std::string out;
    std::size_t at = 0;
    for (;;) {
        const std::size_t start = text.find(begin, at);
        out += text.substr(at, start == string_view::npos ? start : start - at);
        if (start == string_view::npos) return out;
        if (text.substr(start, label_reach).find(label) == string_view::npos) {
            out += begin;
            at = start + begin.size();
            continue;
        }
        out += redacted;
        const std::size_t end = text.find(finish, start);
        const std::size_t close =
            end == string_view::npos ? end : text.find("-----", end + finish.size());
        if (close == string_view::npos) return out;
        at = close + 5;
    }
}

json::value redact_value(const json::value& value);

json::value redact_member(string_view name, const json::value& value) {
    const bool says_nothing =
        value.is_null() || value.is_bool() || (value.is_string() && value.get_string().empty());
    if (says_nothing || !names_a_secret(name)) return redact_value(value);
    // prompt_tokens: 812 counts words, it opens nothing.
    if (value.is_number() && plain_name(name).ends_with("tokens")) return value;
    return json::value(redacted);
}

json::value redact_value(const json::value& value) {
    if (const auto* text = value.if_string()) return json::value(redact_text(*text));
    if (const auto* object = value.if_object()) return redact(*object);
    if (const auto* array = value.if_array()) {
        json::array out;
        out.reserve(array->size());
        for (const auto& element : *array) out.push_back(redact_value(element));
        return out;
    }
    return value;
}

} // namespace

bool names_a_secret(string_view name) {
    const std::string plain = plain_name(name);
    if (std::ranges::find(secret_names, plain) != secret_names.end()) return true;
    const bool secret = std::ranges::any_of(
        secret_parts, [&](string_view part) { return plain.find(part) != std::string::npos; });
    const bool harmless = std::ranges::any_of(
        harmless_endings, [&](string_view ending) { return plain.ends_with(ending); });
    return secret && !harmless;
}

std::string redact_text(string_view text) {
    const std::string open = without_private_keys(text);
    return Scanner{open}.run();
}

json::object redact(const json::object& object) {
    json::object out;
    out.reserve(object.size());
    for (const auto& member : object) {
        out.insert_or_assign(
            redact_text(member.key()), redact_member(member.key(), member.value()));
    }
    return out;
}

} // namespace hive::audit
