#include "colony/tasks/task_json.hpp"

#include "colony/stored.hpp"
#include "kernel/duration.hpp"
#include "kernel/timestamp.hpp"

#include <boost/json/value_from.hpp>
#include <boost/json/value_to.hpp>
#include <fmt/format.h>

namespace hive::colony::tasks {
namespace {

json::object lease_json(const Lease& lease, LeaseToken token) {
    json::object out{
        {"holder", lease.holder},
        {"ends", format_timestamp(lease.ends)},
        {"span", format_duration(lease.span)}};
    put(out, "instance", lease.instance);
    if (token == LeaseToken::shown) out["token"] = lease.token;
    return out;
}

json::object attempt_json(const Attempt& attempt) {
    json::object out{
        {"token", attempt.token}, {"bee", attempt.bee}, {"began", format_timestamp(attempt.began)}};
    put(out, "ended", attempt.ended);
    put(out, "end", attempt.end);
    put(out, "error", attempt.error);
    return out;
}

json::object attachment_json(const Attachment& attachment) {
    json::object out{{"name", attachment.name}, {"uri", attachment.uri}};
    put(out, "digest", attachment.digest);
    return out;
}

json::object retry_json(const Retry& retry) {
    return {
        {"attempts", retry.attempts_max},
        {"first", format_duration(retry.first)},
        {"longest", format_duration(retry.longest)}};
}

Lease lease_in(const json::object& in) {
    return {
        .holder = text_in(in, "holder"),
        .instance = text_in(in, "instance"),
        .token = number_in<std::uint64_t>(in, "token"),
        .ends = time_at(in, "ends"),
        .span = span_at(in, "span")};
}

Attempt attempt_in(const json::object& in) {
    return {
        .token = number_in<std::uint64_t>(in, "token"),
        .bee = text_in(in, "bee"),
        .began = time_at(in, "began"),
        .ended = time_in(in, "ended"),
        .end = text_in(in, "end"),
        .error = text_in(in, "error")};
}

Task task_in(const json::object& in) {
    Task task{
        .id = text_in(in, "id"),
        .ref = text_in(in, "ref"),
        .title = text_in(in, "title"),
        .description = text_in(in, "description"),
        .state = parse_state(in.at("state").as_string()).value(),
        .priority = number_in<int>(in, "priority"),
        .tags = words_in(in, "tags"),
        .skills = words_in(in, "skills"),
        .assigned_to = text_in(in, "assignedTo"),
        .created_by = text_in(in, "createdBy"),
        .created = time_at(in, "createdAt"),
        .changed = time_at(in, "changedAt"),
        .revision = number_in<std::uint64_t>(in, "revision"),
        .not_before = time_in(in, "notBefore"),
        .repeat = text_in(in, "repeat"),
        .time_zone = text_in(in, "timeZone"),
        .depends_on = words_in(in, "dependsOn"),
        .unmet = words_in(in, "waitingFor"),
        .unique_key = text_in(in, "uniqueKey"),
        .metadata = object_in(in, "metadata"),
        .attempts = number_in<int>(in, "attempts"),
        .fence = number_in<std::uint64_t>(in, "fence"),
        .claimed_at = time_in(in, "claimedAt"),
        .note = text_in(in, "note"),
        .completed_at = time_in(in, "completedAt"),
        .outcome = text_in(in, "outcome"),
        .error = text_in(in, "error"),
        .approval = text_in(in, "approval"),
        .file_path = text_in(in, "filePath"),
        .file_synced_at = time_in(in, "fileSyncedAt")};
    const auto& retry = in.at("retry").as_object();
    task.retry = {
        number_in<int>(retry, "attempts"), span_at(retry, "first"), span_at(retry, "longest")};
    if (const auto* lease = in.if_contains("lease")) task.lease = lease_in(lease->as_object());
    if (in.contains("percent")) task.percent = number_in<int>(in, "percent");
    if (const auto* result = in.if_contains("result")) task.result = *result;
    if (const auto* all = in.if_contains("attachments")) {
        for (const auto& item : all->as_array()) {
            const auto& one = item.as_object();
            task.attachments.push_back(
                {text_in(one, "name"), text_in(one, "uri"), text_in(one, "digest")});
        }
    }
    if (const auto* all = in.if_contains("history")) {
        for (const auto& item : all->as_array())
            task.history.push_back(attempt_in(item.as_object()));
    }
    return task;
}

} // namespace

json::object to_json(const Task& task, LeaseToken token) {
    json::object out{
        {"id", task.id},
        {"ref", task.ref},
        {"title", task.title},
        {"state", name_of(task.state)},
        {"priority", task.priority},
        {"createdBy", task.created_by},
        {"createdAt", format_timestamp(task.created)},
        {"changedAt", format_timestamp(task.changed)},
        {"revision", task.revision},
        {"attempts", task.attempts},
        {"retry", retry_json(task.retry)}};
    put(out, "description", task.description);
    put(out, "tags", task.tags);
    put(out, "skills", task.skills);
    put(out, "assignedTo", task.assigned_to);
    put(out, "notBefore", task.not_before);
    put(out, "repeat", task.repeat);
    put(out, "timeZone", task.time_zone);
    put(out, "dependsOn", task.depends_on);
    put(out, "waitingFor", task.unmet);
    put(out, "uniqueKey", task.unique_key);
    if (task.lease) out["lease"] = lease_json(*task.lease, token);
    put(out, "claimedAt", task.claimed_at);
    if (task.percent) out["percent"] = *task.percent;
    put(out, "note", task.note);
    put(out, "completedAt", task.completed_at);
    put(out, "outcome", task.outcome);
    if (!task.result.is_null()) out["result"] = task.result;
    put(out, "error", task.error);
    put(out, "approval", task.approval);
    put(out, "filePath", task.file_path);
    put(out, "fileSyncedAt", task.file_synced_at);
    put(out, "metadata", task.metadata);
    if (!task.attachments.empty()) {
        auto& all = out["attachments"].emplace_array();
        for (const Attachment& one : task.attachments) all.push_back(attachment_json(one));
    }
    if (!task.history.empty()) {
        auto& all = out["history"].emplace_array();
        for (const Attempt& attempt : task.history) all.push_back(attempt_json(attempt));
    }
    return out;
}

std::string to_stored(const Task& task) {
    json::object all = to_json(task, LeaseToken::shown);
    all["fence"] = task.fence;
    return to_text(all);
}

Result<Task> from_stored(std::string_view text) {
    return read_stored("task", text, task_in);
}

} // namespace hive::colony::tasks
