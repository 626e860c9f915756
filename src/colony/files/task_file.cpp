#include "colony/files/task_file.hpp"

#include "colony/files/aliases.hpp"
#include "colony/files/header.hpp"
#include "colony/files/text.hpp"
#include "colony/files/vocabulary.hpp"
#include "colony/tasks/task_json.hpp"
#include "kernel/digest.hpp"
#include "kernel/timestamp.hpp"
#include "kernel/yaml.hpp"
#include "kernel/yaml_json.hpp"

#include <boost/json/value_from.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hive::colony::files {
namespace {

constexpr std::string_view schema = "hive: task/1";
constexpr std::string_view headers_end = "\n---\n\n";

// What a member of a task is called in front matter; those not here have their own name.
struct Spelling {
    std::string_view member;
    std::string_view written;
};
constexpr std::array spellings{
    Spelling{"revision", "rev"},         Spelling{"state", "status"},
    Spelling{"assignedTo", "assignee"},  Spelling{"dependsOn", "depends_on"},
    Spelling{"createdBy", "created_by"}, Spelling{"createdAt", "created"},
    Spelling{"changedAt", "changed"},    Spelling{"waitingFor", "waiting_for"},
    Spelling{"notBefore", "not_before"}, Spelling{"uniqueKey", "unique_key"},
    Spelling{"claimedAt", "claimed"},    Spelling{"completedAt", "completed"},
};
// In this order at the top; the rest follows.
constexpr std::array<std::string_view, 7> first_members{
    "id", "ref", "revision", "priority", "state", "assignedTo", "dependsOn"};

std::string_view written_as(std::string_view member) {
    const auto* found = std::ranges::find(spellings, member, &Spelling::member);
    return found != spellings.end() ? found->written : member;
}
std::string_view member_of(std::string_view written) {
    const auto* found = std::ranges::find(spellings, written, &Spelling::written);
    return found != spellings.end() ? found->member : written;
}

std::string seal_of(std::string_view front) {
    return fmt::format("{:08x}", crc32(bytes_of(front)));
}

std::string one_line(std::string_view text) {
    std::string out{text};
    std::ranges::replace_if(out, [](char c) { return c == '\n' || c == '\r'; }, ' ');
    return out;
}

std::string front_of(const tasks::Task& task) {
    json::object all = tasks::to_json(task);
    all["fence"] = task.fence;
    for (const std::string_view gone : {"description", "filePath", "fileSyncedAt"}) all.erase(gone);
    all["body"] = seal_of(task.description);
    std::string out;
    const auto put = [&](std::string_view member, const json::value& value) {
        out += fmt::format("{}: {}\n", written_as(member), to_text(value));
    };
    for (const auto member : first_members) {
        if (const auto* value = all.if_contains(member)) put(member, *value);
    }
    for (const auto& [member, value] : all) {
        if (std::ranges::find(first_members, std::string_view{member}) == first_members.end())
            put(member, value);
    }
    return out;
}

// What the bold block says of a task, in order.
std::vector<std::pair<std::string, std::string>> shown_of(const tasks::Task& task) {
    return {
        {"Task ID", task.ref},
        {"From", task.created_by},
        {"To", task.assigned_to.empty() ? "any" : task.assigned_to},
        {"Priority", fmt::format("P{}", task.priority)},
        {"Status", std::string{tasks::name_of(task.state)}},
        {"Created", format_timestamp(task.created)}};
}

struct Parts {
    std::string_view front; // without schema and seal
    std::string_view seal;
    std::string_view shown; // the title and the bold block
    std::string_view description;
};

Result<Parts> parts_in(std::string_view text) {
    const auto wrong = [](std::string_view what) {
        return fail(Errc::invalid, fmt::format("a task file of the hive without {}", what));
    };
    if (!is_task_file(text)) return wrong("its first lines");
    text.remove_prefix(text.find('\n') + 1);
    text.remove_prefix(std::min(text.size(), text.find('\n') + 1));
    Parts parts;
    const auto end = text.starts_with("---\n") ? 0 : text.find("\n---\n");
    if (end == text.npos) return wrong("the end of its front matter");
    std::string_view front = text.substr(0, end == 0 ? 0 : end + 1);
    text.remove_prefix(end == 0 ? 4 : end + 5);
    if (const auto at = front.rfind("seal: ");
        at != front.npos && (at == 0 || front[at - 1] == '\n')) {
        parts.seal = trimmed(front.substr(at + 6));
        front = front.substr(0, at);
    }
    parts.front = front;
    const auto shown_end = text.find(headers_end);
    if (shown_end == text.npos) return wrong("the rule below its headers");
    parts.shown = text.substr(0, shown_end);
    parts.description = text.substr(shown_end + headers_end.size());
    if (parts.description.ends_with('\n')) parts.description.remove_suffix(1);
    return parts;
}

Result<json::object> members_in(std::string_view front) {
    json::object members;
    bool plain_json = true;
    for (const auto line : lines_of(front)) {
        const auto colon = line.find(": ");
        const auto value = colon == line.npos ? fail(Errc::invalid, "")
                                              : parse_json(line.substr(colon + 2), {.depth = 64});
        if (!value) {
            plain_json = false;
            break;
        }
        members[member_of(line.substr(0, colon))] = *value;
    }
    if (plain_json) return members;
    // Somebody wrote YAML into it.
    const auto document = parse_yaml("front matter", front);
    if (!document.findings.empty()) {
        const auto& first = document.findings.front();
        return fail(Errc::invalid, fmt::format("line {}: {}", first.at.line + 2, first.message));
    }
    const json::value all = hive::to_json(document.root);
    if (!all.is_object()) return fail(Errc::invalid, "front matter is no mapping");
    members.clear();
    for (const auto& [key, value] : all.as_object()) members[member_of(key)] = value;
    return members;
}

std::string headers_of(const tasks::Task& task) {
    std::string out = fmt::format("\n# {}\n\n", one_line(task.title));
    for (const auto& [key, value] : shown_of(task)) {
        out += fmt::format("**{}:** {}\n", key, one_line(value));
    }
    return out;
}

// Headers that differ from what the front matter says were edited by somebody who reads only them.
void take_edited_headers(tasks::Task& task, std::string_view shown) {
    if (shown.starts_with(headers_of(task))) return;
    const Head head = head_of(shown);
    const auto before = shown_of(task);
    const auto edited = [&](std::string_view key) -> const HeaderLine* {
        const auto* line = head.find({key});
        if (line == nullptr) return nullptr;
        const auto was = std::ranges::find_if(
            before, [&](const auto& one) { return lowered(one.first) == key; });
        const bool same = was != before.end() && folded(plain(was->second)) == line->value;
        return same ? nullptr : line;
    };
    if (head.title != folded(plain(one_line(task.title))) && !head.title.empty())
        task.title = head.title;
    if (const auto* line = edited("priority")) {
        task.priority = priority_in(line->value).value_or(task.priority);
    }
    if (const auto* line = edited("status"))
        task.state = state_in(line->value).value_or(task.state);
    if (const auto* line = edited("to")) {
        task.assigned_to = line->value == "any" ? std::string{} : Aliases{}.resolve(line->value);
    }
}

} // namespace

bool is_task_file(std::string_view text) {
    return text.starts_with("---\nhive: task/1\n");
}

std::string write_task(const tasks::Task& task, const Refs& refs) {
    const std::string front = front_of(task);
    std::string out = fmt::format("---\n{}\n{}seal: {}\n---\n", schema, front, seal_of(front));
    out += headers_of(task);
    std::string on;
    for (const auto& id : task.depends_on) {
        const auto ref = refs.find(id);
        on += (on.empty() ? "" : ", ") + (ref != refs.end() ? ref->second : id);
    }
    if (!on.empty()) out += fmt::format("**Depends on:** {}\n", one_line(on));
    if (task.lease) out += fmt::format("**Claimed by:** {}\n", one_line(task.lease->holder));
    if (!task.note.empty()) out += fmt::format("**Note:** {}\n", one_line(clipped(task.note, 200)));
    // Starts with the line break before the rule.
    out += headers_end;
    out += task.description;
    out += '\n';
    return out;
}

Result<TaskFile> read_task_file(std::string_view text) {
    const auto parts = parts_in(text);
    if (!parts) return fail(parts.error());
    auto members = members_in(parts->front);
    if (!members) return fail(members.error());
    (*members)["description"] = parts->description;
    if (auto* lease = members->if_contains("lease"); lease != nullptr && lease->is_object()) {
        // The token of a lease is that of the last claim.
        if (const auto* fence = members->if_contains("fence")) lease->as_object()["token"] = *fence;
    }
    auto task = tasks::from_stored(to_text(*members));
    if (!task) return fail(task.error());
    TaskFile file{.said = *task};
    if (seal_of(parts->front) != parts->seal) return file;
    const auto* body = members->if_contains("body");
    file.description_edited = body == nullptr || *body != json::value(seal_of(parts->description));
    file.written = *std::move(task);
    take_edited_headers(file.said, parts->shown);
    return file;
}

Result<tasks::Task> read_task(std::string_view text) {
    auto file = read_task_file(text);
    if (!file) return fail(file.error());
    return std::move(file->said);
}

std::string task_file_name(const tasks::Task& task, const Zone& zone) {
    const auto token = [](const std::string& id) {
        std::string out;
        for (const char c : id) {
            if (is_word(c) || c == '-' || c == '_') out += c;
            if (out.size() == 40) break;
        }
        return out.empty() ? std::string{"ANY"} : out;
    };
    const std::string words = slug(task.title, 50);
    return fmt::format(
        "{}-{}-{}-TASK-{}{}{}.md", stamp(task.created, zone), token(task.created_by),
        token(task.assigned_to), words, words.empty() ? "" : "-",
        task.id.size() > 8 ? task.id.substr(task.id.size() - 8) : task.id);
}

tasks::Task without_place(tasks::Task task) {
    task.file_path.clear();
    task.file_synced_at.reset();
    return task;
}

} // namespace hive::colony::files
