#include "importer/curl.hpp"

#include "importer/request_url.hpp"
#include "importer/shell_words.hpp"
#include "kernel/bytes.hpp"
#include "kernel/encoding.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hive::importer {
namespace {

// One command as it is read.
struct Command {
    std::vector<std::string> urls{};
    std::string method{};
    std::vector<Header> headers{};
    std::string body{};
    bool has_body = false;
    bool as_query = false;
    bool as_json = false;
};

struct Option {
    std::string_view name; // as it is written long
    char letter;
    bool takes_value;
};
// Those that say what is sent, and of the others those whose value would be taken for a URL.
constexpr std::array options{
    Option{"request", 'X', true},
    Option{"header", 'H', true},
    Option{"data", 'd', true},
    Option{"data-raw", 0, true},
    Option{"data-binary", 0, true},
    Option{"data-ascii", 0, true},
    Option{"data-urlencode", 0, true},
    Option{"json", 0, true},
    Option{"user", 'u', true},
    Option{"cookie", 'b', true},
    Option{"user-agent", 'A', true},
    Option{"referer", 'e', true},
    Option{"url", 0, true},
    Option{"head", 'I', false},
    Option{"get", 'G', false},
    Option{"form", 'F', true},
    Option{"insecure", 'k', false},
    Option{"output", 'o', true},
    Option{"max-time", 'm', true},
    Option{"connect-timeout", 0, true},
    Option{"retry", 0, true},
    Option{"write-out", 'w', true},
    Option{"proxy", 'x', true},
    Option{"cacert", 0, true},
    Option{"cert", 'E', true},
    Option{"key", 0, true},
    Option{"resolve", 0, true},
    Option{"cookie-jar", 'c', true},
    Option{"upload-file", 'T', true},
    Option{"dump-header", 'D', true},
    Option{"range", 'r', true},
    Option{"config", 'K', true},
    Option{"limit-rate", 0, true},
    Option{"max-redirs", 0, true},
};

class Reader {
public:
    Result<Draft> read(std::string_view text) {
        const auto commands = shell_commands(text);
        if (!commands) return fail(commands.error());
        for (const Words& words : *commands) {
            const auto program = words.front().substr(words.front().rfind('/') + 1);
            if (program != "curl" && program != "curl.exe") continue;
            Command command;
            if (auto ok = read_words(words, command); !ok) return fail(ok.error());
            if (auto ok = add(command); !ok) return fail(ok.error());
        }
        if (draft_.calls.empty()) {
            return fail(Errc::invalid, "there is no curl command with a URL in it");
        }
        return std::move(draft_);
    }

private:
    Status read_words(const Words& words, Command& command) {
        for (std::size_t i = 1; i < words.size(); ++i) {
            const std::string& word = words[i];
            if (word.starts_with("--")) {
                if (auto ok = read_long(word.substr(2), words, i, command); !ok) return ok;
            } else if (word.size() > 1 && word.starts_with('-')) {
                if (auto ok = read_letters(word, words, i, command); !ok) return ok;
            } else {
                command.urls.push_back(word);
            }
        }
        return {};
    }
    Status read_long(std::string_view name, const Words& words, std::size_t& at, Command& command) {
        const auto* option = std::ranges::find(options, name, &Option::name);
        if (option == options.end() || !option->takes_value) return take(name, "", command);
        if (++at == words.size()) {
            return fail(Errc::invalid, fmt::format("curl: --{} has no value", printable(name)));
        }
        return take(name, words[at], command);
    }
    // `-sXPOST`: letters without a value, then one whose value is the rest or the next word.
    Status
    read_letters(const std::string& word, const Words& words, std::size_t& at, Command& command) {
        for (std::size_t i = 1; i < word.size(); ++i) {
            const auto* option = std::ranges::find(options, word[i], &Option::letter);
            if (option == options.end()) continue; // how curl behaves, not what it sends
            if (!option->takes_value) {
                if (auto ok = take(option->name, "", command); !ok) return ok;
                continue;
            }
            if (i + 1 < word.size()) return take(option->name, word.substr(i + 1), command);
            if (++at == words.size()) {
                return fail(Errc::invalid, fmt::format("curl: -{} has no value", word[i]));
            }
            return take(option->name, words[at], command);
        }
        return {};
    }

    Status take(std::string_view name, const std::string& value, Command& command) {
        if (name == "request") command.method = name_from(value);
        if (name == "url") command.urls.push_back(value);
        if (name == "head") command.method = "HEAD";
        if (name == "get") command.as_query = true;
        if (name == "user-agent") command.headers.push_back({"user-agent", value});
        if (name == "referer") command.headers.push_back({"referer", value});
        if (name == "cookie") take_cookie(value, command);
        if (name == "user") command.headers.push_back({"authorization", basic(value)});
        if (name == "header") take_header(value, command);
        if (name == "json") command.as_json = true;
        if (name.starts_with("data") || name == "json") take_data(name, value, command);
        if (name == "form" || name == "upload-file") {
            note(fmt::format("--{} is not taken over: give the body by hand", name));
        }
        if (name == "insecure") note("-k: set `verifyTls: false` at the processor if it must be");
        return {};
    }
    static std::string basic(const std::string& user) {
        return "Basic " + to_base64(bytes_of(user));
    }
    void take_cookie(const std::string& value, Command& command) {
        if (value.find('=') == value.npos)
            return note("-b with a file of cookies is not taken over");
        command.headers.push_back({"cookie", value});
    }
    static void take_header(const std::string& text, Command& command) {
        const auto colon = text.find(':');
        if (colon == text.npos || colon == 0) return; // curl removes or empties such a header
        const auto begin = text.find_first_not_of(" \t", colon + 1);
        if (begin == text.npos) return;
        command.headers.push_back({text.substr(0, colon), text.substr(begin)});
    }
    void take_data(std::string_view name, const std::string& value, Command& command) {
        if (value.starts_with('@') && name != "data-raw") {
            return note(fmt::format(
                "the body in the file '{}' is not taken over: give it by hand",
                printable(value.substr(1))));
        }
        std::string part = value;
        if (name == "data-urlencode") {
            const auto equals = value.find('=');
            part = equals == value.npos
                       ? percent_encoded(value)
                       : value.substr(0, equals + (equals > 0 ? 1 : 0)) +
                             percent_encoded(std::string_view{value}.substr(equals + 1));
        }
        if (command.has_body && name != "json") command.body += '&';
        command.body += part;
        command.has_body = true;
    }
    void note(std::string text) {
        if (std::ranges::find(draft_.notes, text) == draft_.notes.end()) {
            draft_.notes.push_back(std::move(text));
        }
    }

    static void add_default(Call& call, const char* name, const char* value) {
        const auto same = [&](const Header& header) { return lower(header.name) == name; };
        if (std::ranges::none_of(call.headers, same)) call.headers.push_back({name, value});
    }

    Status add(const Command& command) {
        for (const std::string& written : command.urls) {
            const bool whole = written.find("://") != written.npos;
            auto url = parse_request_url(whole ? written : "http://" + written);
            if (!url) return fail(url.error());
            if (draft_.base_url.empty()) draft_.base_url = url->base;
            if (url->base != draft_.base_url) {
                note(fmt::format(
                    "left out: calls to {}; a bundle calls one host", printable(url->base)));
                continue;
            }
            Call call{.method = command.method, .path = url->path, .headers = command.headers};
            if (!url->user_info.empty()) {
                call.headers.push_back({"authorization", basic(url->user_info)});
            }
            if (command.as_query && command.has_body) {
                call.path += (call.path.find('?') == call.path.npos ? '?' : '&') + command.body;
            } else if (command.has_body) {
                call.body = command.body;
                add_default(
                    call, "content-type",
                    command.as_json ? "application/json" : "application/x-www-form-urlencoded");
                if (command.as_json) add_default(call, "accept", "application/json");
            }
            if (call.method.empty()) call.method = call.body.empty() ? "GET" : "POST";
            add_call(draft_, std::move(call));
        }
        return {};
    }

    Draft draft_{};
};

} // namespace

Result<Draft> read_curl(std::string_view text) {
    return Reader{}.read(text);
}

} // namespace hive::importer
