#include "api/colony/task_input.hpp"

#include "api/colony/input.hpp"

#include <fmt/format.h>

namespace hive::rest {
namespace {

using namespace colony::tasks;

std::vector<Attachment> attachments_in(const json::object& body) {
    std::vector<Attachment> all;
    const auto* list = body.if_contains("attachments");
    if (list == nullptr) return all;
    for (const auto& item : list->as_array()) {
        const auto& one = item.as_object();
        all.push_back({text_of(one, "name"), text_of(one, "uri"), text_of(one, "digest")});
    }
    return all;
}

Result<Retry> retry_in(const json::object& body) {
    Retry retry;
    const json::object given = object_of(body, "retry");
    if (const auto most = integer_of(given, "attempts"))
        retry.attempts_max = static_cast<int>(*most);
    const auto first = span_of(given, "first");
    if (!first) return fail(first.error());
    const auto longest = span_of(given, "longest");
    if (!longest) return fail(longest.error());
    if (*first) retry.first = **first;
    retry.longest = std::max(*longest ? **longest : retry.longest, retry.first);
    return retry;
}

Status check_labels(const json::object& body) {
    for (const auto* name : {"tags", "skills", "dependsOn"}) {
        if (auto ok = check_words(words_of(body, name), name); !ok) return ok;
    }
    return check_words({text_of(body, "assignedTo") + "-"}, "assignedTo");
}

Hold hold_in(const json::object& body) {
    const auto token = integer_of(body, "token");
    return {token ? std::optional{static_cast<std::uint64_t>(*token)} : std::nullopt};
}

// A member that is there, even when it is empty: it is to be changed.
template <class T, class Read>
void take(const json::object& body, std::string_view name, std::optional<T>& into, Read read) {
    if (body.contains(name)) into = read(body, name);
}

} // namespace

Result<NewTask> new_task_in(const json::object& body) {
    if (auto ok = check_labels(body); !ok) return fail(ok.error());
    auto not_before = time_of(body, "notBefore");
    if (!not_before) return fail(not_before.error());
    auto retry = retry_in(body);
    if (!retry) return fail(retry.error());
    return NewTask{
        .ref = text_of(body, "ref"),
        .title = text_of(body, "title"),
        .description = text_of(body, "description"),
        .priority = static_cast<int>(integer_of(body, "priority").value_or(priority_usual)),
        .tags = words_of(body, "tags"),
        .skills = words_of(body, "skills"),
        .assigned_to = text_of(body, "assignedTo"),
        .not_before = *not_before,
        .repeat = text_of(body, "repeat"),
        .time_zone = text_of(body, "timeZone"),
        .depends_on = words_of(body, "dependsOn"),
        .unique_key = text_of(body, "uniqueKey"),
        .attachments = attachments_in(body),
        .metadata = object_of(body, "metadata"),
        .retry = *retry};
}

Result<Changes> changes_in(const json::object& body) {
    if (auto ok = check_labels(body); !ok) return fail(ok.error());
    Changes out;
    take(body, "title", out.title, text_of);
    take(body, "description", out.description, text_of);
    take(body, "tags", out.tags, words_of);
    take(body, "skills", out.skills, words_of);
    take(body, "assignedTo", out.assigned_to, text_of);
    take(body, "repeat", out.repeat, text_of);
    take(body, "timeZone", out.time_zone, text_of);
    take(body, "dependsOn", out.depends_on, words_of);
    take(body, "metadata", out.metadata, object_of);
    if (const auto priority = integer_of(body, "priority"))
        out.priority = static_cast<int>(*priority);
    if (body.contains("attachments")) out.attachments = attachments_in(body);
    if (body.contains("notBefore")) {
        auto time = time_of(body, "notBefore");
        if (!time) return fail(time.error());
        out.not_before = *time;
    }
    return out;
}

Result<Terms> terms_in(const json::object& body) {
    Terms terms{.bee = text_of(body, "bee"), .instance = text_of(body, "instance")};
    auto lease = span_of(body, "leaseFor");
    if (!lease) return fail(lease.error());
    if (*lease) terms.lease = **lease;
    return terms;
}

Result<Wish> wish_in(const json::object& body) {
    auto terms = terms_in(body);
    if (!terms) return fail(terms.error());
    return Wish{
        .skills = words_of(body, "skills"),
        .tags = words_of(body, "tags"),
        .count = static_cast<std::size_t>(integer_of(body, "count").value_or(1)),
        .terms = *std::move(terms)};
}

Report report_in(const json::object& body) {
    Report report{.hold = hold_in(body), .note = text_of(body, "note")};
    if (const auto percent = integer_of(body, "percent"))
        report.percent = static_cast<int>(*percent);
    if (const auto* result = body.if_contains("result")) report.result = *result;
    return report;
}

Failure failure_in(const json::object& body) {
    const auto* retryable = body.if_contains("retryable");
    return {
        .hold = hold_in(body),
        .error = text_of(body, "error"),
        .retryable = retryable == nullptr || retryable->as_bool()};
}

} // namespace hive::rest
