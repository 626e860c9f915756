#include "importer/har.hpp"

#include "importer/request_url.hpp"
#include "kernel/json.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace hive::importer {
namespace {

constexpr JsonLimits limits{.bytes = har_bytes_max, .depth = 64};
constexpr std::size_t entries_max = 100'000;

const json::value* member(const json::value& from, std::string_view name) {
    const auto* object = from.if_object();
    return object == nullptr ? nullptr : object->if_contains(name);
}

std::string_view text_in(const json::value& from, std::string_view name) {
    const auto* value = member(from, name);
    return value != nullptr && value->is_string() ? std::string_view{value->get_string()} : "";
}

template <class Visit>
void each(const json::value& from, std::string_view name, const Visit& visit) {
    const auto* list = member(from, name);
    if (list == nullptr || !list->is_array()) return;
    for (const json::value& item : list->get_array()) visit(item);
}

bool is_static(const json::value& entry, std::string_view path) {
    constexpr std::array<std::string_view, 16> endings{
        ".css", ".js",   ".mjs", ".png",  ".jpg", ".jpeg", ".gif", ".svg",
        ".ico", ".woff", ".ttf", ".webp", ".map", ".mp4",  ".otf", ".woff2"};
    path = path.substr(0, path.find('?'));
    const std::string small = lower(std::string{path});
    if (std::ranges::any_of(endings, [&](auto ending) { return small.ends_with(ending); })) {
        return true;
    }
    const auto* response = member(entry, "response");
    const auto* content = response == nullptr ? nullptr : member(*response, "content");
    if (content == nullptr) return false;
    const std::string type = lower(std::string{text_in(*content, "mimeType")});
    constexpr std::array<std::string_view, 5> kinds{
        "image/", "font/", "video/", "audio/", "text/css"};
    return std::ranges::any_of(kinds, [&](auto kind) { return type.starts_with(kind); }) ||
           type.find("javascript") != type.npos;
}

std::string form_of(const json::value& data) {
    std::string out;
    each(data, "params", [&](const json::value& param) {
        if (!out.empty()) out += '&';
        out += percent_encoded(text_in(param, "name")) + '=' +
               percent_encoded(text_in(param, "value"));
    });
    return out;
}

struct Found {
    std::string base{};
    Call call{};
};

// Counts of what was left out, for the notes.
struct Skipped {
    std::size_t assets = 0;
    std::size_t preflights = 0;
    std::size_t unreadable = 0; // no http, or no URL at all
    std::map<std::string, std::size_t> hosts{};
};

class Reader {
public:
    explicit Reader(const HarWish& wish) : wish_{wish} {}

    Result<Draft> read(std::string_view text) {
        const auto document = parse_json(text, limits);
        if (!document) return fail(Errc::invalid, "no HAR: " + document.error().detail);
        const auto* log = member(*document, "log");
        const auto* entries = log == nullptr ? nullptr : member(*log, "entries");
        if (entries == nullptr || !entries->is_array()) {
            return fail(Errc::invalid, "no HAR: it has no log.entries");
        }
        if (entries->get_array().size() > entries_max) {
            return fail(
                Errc::invalid, fmt::format("the recording has more than {} entries", entries_max));
        }
        for (const json::value& entry : entries->get_array()) read_entry(entry);
        return draft();
    }

private:
    void read_entry(const json::value& entry) {
        const auto* request = member(entry, "request");
        auto url = request == nullptr ? fail(Errc::invalid, "")
                                      : parse_request_url(text_in(*request, "url"));
        if (!url) return count(skipped_.unreadable);
        Found found{.base = url->base, .call = {.path = url->path}};
        const std::string method = name_from(text_in(*request, "method"));
        if (!method.empty()) found.call.method = method;
        if (wish_.skip_static && is_static(entry, url->path)) return count(skipped_.assets);
        bool preflight = false;
        each(*request, "headers", [&](const json::value& header) {
            std::string name{text_in(header, "name")};
            preflight = preflight || lower(name) == "access-control-request-method";
            if (is_of_connection(name)) return;
            found.call.headers.push_back({std::move(name), std::string{text_in(header, "value")}});
        });
        if (preflight) return count(skipped_.preflights);
        if (const auto* data = member(*request, "postData"); data != nullptr) {
            found.call.body = text_in(*data, "text");
            if (found.call.body.empty()) found.call.body = form_of(*data);
        }
        found_.push_back(std::move(found));
    }
    static void count(std::size_t& what) { ++what; }

    std::string chosen_base() const {
        std::map<std::string, std::size_t> calls;
        for (const Found& each : found_) ++calls[each.base];
        const auto wanted = [&](const std::string& base) {
            return base.substr(base.find("://") + 3) == wish_.host || base == wish_.host;
        };
        std::string most;
        for (const auto& [base, number] : calls) {
            if (!wish_.host.empty() && !wanted(base)) continue;
            if (most.empty() || number > calls.at(most)) most = base;
        }
        return most;
    }

    Result<Draft> draft() {
        Draft out{.base_url = chosen_base()};
        if (out.base_url.empty()) {
            return fail(
                Errc::invalid,
                wish_.host.empty()
                    ? "nothing is left of the recording that could be called"
                    : fmt::format("the recording has no call to '{}'", printable(wish_.host)));
        }
        for (Found& each : found_) {
            if (each.base == out.base_url)
                add_call(out, std::move(each.call));
            else
                ++skipped_.hosts[each.base];
        }
        const auto note = [&](std::size_t number, std::string_view what) {
            if (number > 0) out.notes.push_back(fmt::format("left out: {} {}", number, what));
        };
        note(skipped_.assets, "for images, styles, scripts and the like");
        note(skipped_.preflights, "that a browser sends ahead by itself (CORS)");
        note(skipped_.unreadable, "that are not HTTP");
        for (const auto& [base, number] : skipped_.hosts) {
            note(number, fmt::format("to {}; --host takes another one", printable(base)));
        }
        return out;
    }

    const HarWish& wish_;
    std::vector<Found> found_{};
    Skipped skipped_{};
};

} // namespace

Result<Draft> read_har(std::string_view text, const HarWish& wish) {
    return Reader{wish}.read(text);
}

} // namespace hive::importer
