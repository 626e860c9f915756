#include "api/colony/approval_page.hpp"

#include "kernel/json.hpp"
#include "kernel/text.hpp"
#include "kernel/timestamp.hpp"

#include <fmt/format.h>

namespace hive::rest {
namespace {

using namespace colony::approvals;

constexpr std::size_t shown_max = 4000; // of one piece of evidence

constexpr std::string_view page = R"html(<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>{0} · PocketHive</title><link rel="stylesheet" href="/sign-in.css">
<link rel="icon" href="/icon.svg"></head>
<body><main><h1>{0}</h1>
{1}</main></body></html>
)html";

constexpr std::string_view form = R"html(<form method="post">
<label for="comment">Comment</label>
<textarea id="comment" name="comment" maxlength="1000"></textarea>
<div class="row"><button class="yes" name="verdict" value="approve">Approve</button>
<button name="verdict" value="deny">Deny</button></div></form>
<p>This link works once, for {}, until {}.</p>
)html";

std::string escaped(std::string_view text) {
    std::string out;
    out.reserve(text.size());
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
    return out;
}

std::string shown(const Evidence& evidence) {
    const auto* words = evidence.value.if_string();
    const std::string text =
        words == nullptr ? to_text(evidence.value) : std::string{std::string_view{*words}};
    const std::string safe = escaped(printable(text, shown_max));
    const std::string title =
        evidence.title.empty() ? "" : fmt::format("{}: ", escaped(printable(evidence.title, 200)));
    if (evidence.kind != "link") return fmt::format("<p>{}<code>{}</code></p>\n", title, safe);
    return fmt::format(
        "<p>{0}<a href=\"{1}\" rel=\"noopener noreferrer\">{1}</a></p>\n", title, safe);
}

http::Response html(unsigned status, std::string body) {
    http::Response response{
        .status = status, .content_type = "text/html; charset=utf-8", .body = std::move(body)};
    response.headers.add(
        "Content-Security-Policy",
        "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; "
        "base-uri 'none'; frame-ancestors 'none'");
    response.headers.add("Cache-Control", "no-store");
    return response;
}

} // namespace

http::Response decision_page(const Invitation& invitation) {
    const Approval& approval = invitation.approval;
    std::string text = fmt::format(
        "<p><strong>{}</strong></p>\n<p>{} asks, {}.</p>\n",
        escaped(printable(approval.subject, 500)), escaped(approval.requester.id),
        format_timestamp(approval.created));
    if (!approval.rule_name.empty()) {
        text += fmt::format("<p>Rule: {}</p>\n", escaped(printable(approval.rule_name, 200)));
    }
    for (const Evidence& evidence : approval.evidence) text += shown(evidence);
    text += fmt::format(
        form, escaped(invitation.link.person.id), format_timestamp(invitation.link.expires));
    return html(200, fmt::format(page, "Your decision is needed", text));
}

http::Response told_page(unsigned status, std::string_view title, std::string_view text) {
    return html(
        status, fmt::format(page, escaped(title), fmt::format("<p>{}</p>\n", escaped(text))));
}

} // namespace hive::rest
