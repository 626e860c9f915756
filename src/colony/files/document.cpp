#include "colony/files/document.hpp"

#include "kernel/timestamp.hpp"

namespace hive::colony::files {

json::object to_json(const Document& document) {
    json::object fields;
    const auto put = [&](std::string_view name, const json::value& value, const auto& found) {
        if (found.source.empty()) return;
        json::object field{{"value", value}, {"source", found.source}};
        if (!found.raw.empty()) field["written"] = found.raw;
        fields[name] = std::move(field);
    };
    put("title", json::value(document.title.value), document.title);
    put("sender", json::value(document.sender.value), document.sender);
    json::array to;
    for (const auto& id : document.recipients.value) to.emplace_back(id);
    put("recipients", to, document.recipients);
    put("time", json::value(format_timestamp(document.time.value)), document.time);
    put("priority", json::value(document.priority.value), document.priority);
    put("state", json::value(tasks::name_of(document.state.value)), document.state);
    put("task", json::value(document.task_name.value), document.task_name);
    json::object out{
        {"path", document.path}, {"family", name_of(document.place.family)}, {"fields", fields}};
    if (!document.kind.empty()) out["kind"] = document.kind;
    if (document.place.archived) out["archived"] = true;
    if (!document.place.inbox.empty()) out["inbox"] = document.place.inbox;
    if (document.ours) out["writtenByHive"] = true;
    if (!document.depends_on.empty()) {
        auto& on = out["dependsOn"].emplace_array();
        for (const auto& id : document.depends_on) on.emplace_back(id);
    }
    if (!document.lines.empty()) out["lines"] = document.lines.size();
    if (!document.flaws.empty()) {
        auto& flaws = out["findings"].emplace_array();
        for (const Flaw& flaw : document.flaws)
            flaws.push_back(json::object{{"code", flaw.code}, {"reason", flaw.reason}});
    }
    return out;
}

} // namespace hive::colony::files
