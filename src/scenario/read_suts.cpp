#include "kernel/id.hpp"
#include "kernel/text.hpp"
#include "scenario/readers.hpp"

#include <fmt/format.h>

#include <array>

namespace hive::scenario {
namespace {

bool is_url(std::string_view text) {
    constexpr std::array<std::string_view, 4> schemes{"http://", "https://", "tcp://", "tcps://"};
    for (const auto scheme : schemes) {
        if (text.starts_with(scheme)) return text.size() > scheme.size();
    }
    return false;
}

// Older files write host:port for TCP; with the kind of the endpoint it is a URL.
std::string whole_url(const Endpoint& endpoint, const std::string& text) {
    if (text.empty() || text.find("://") != text.npos || endpoint.kind.empty()) return text;
    return fmt::format("{}://{}", endpoint.kind, text);
}

void read_endpoint(Members& members, Endpoint& out) {
    Report& report = members.report();
    if (const auto kind = members.word(
            "kind", {"http", "https", "tcp", "tcps", "HTTP", "HTTPS", "TCP", "TCPS"})) {
        constexpr std::array<std::string_view, 4> kinds{"http", "https", "tcp", "tcps"};
        out.kind = kinds[*kind % kinds.size()];
    }
    out.base_url = whole_url(out, members.required_text("baseUrl"));
    out.upstream_base_url = whole_url(out, members.text("upstreamBaseUrl"));
    members.text("id"); // of the older form: the same as the endpoint's name
    members.ignore({"ui"}, "it is for an editor");
    members.refuse_others();
    if (out.base_url.empty() || is_url(out.base_url) || out.base_url.starts_with("{env:")) return;
    report.error(
        {.code = "bad-url",
         .at = members.take("baseUrl")->at,
         .key = members.key("baseUrl"),
         .message = fmt::format("'{}' is no URL", printable(out.base_url)),
         .hint = "begin with http://, https://, tcp:// or tcps://"});
}

} // namespace

void read_sut(const YamlNode& root, const std::string& path, Sut& sut, Report& report) {
    Members members{root, path, report};
    const std::string id = members.text("id");
    if (!id.empty() && id != sut.id) {
        report.error(
            {.code = "sut-id",
             .at = members.take("id")->at,
             .key = members.key("id"),
             .message = fmt::format("is '{}', but it is found as '{}'", printable(id), sut.id),
             .hint = "an environment has the name of its folder"});
    }
    if (const auto ok = check_id("sut", sut.id); !ok) {
        report.error({.code = "bad-id", .at = root.at, .key = path, .message = ok.error().detail});
    }
    sut.name = members.text("name");
    sut.type = members.text("type");
    members.ignore({"ui"}, "it is for an editor");
    const YamlNode* endpoints = members.take_mapping("endpoints");
    members.refuse_others();
    if (endpoints == nullptr || endpoints->items.empty()) {
        return report.error(
            {.code = "missing-key",
             .at = root.at,
             .key = members.key("endpoints"),
             .message = "an environment needs at least one endpoint",
             .hint = "add `endpoints: { default: { baseUrl: http://... } }`"});
    }
    for (const YamlNode& each : endpoints->items) {
        Members endpoint{each, below(members.key("endpoints"), printable(each.key)), report};
        Endpoint out{.at = each.key_at};
        read_endpoint(endpoint, out);
        sut.endpoints.emplace(each.key, std::move(out));
    }
}

} // namespace hive::scenario
