#include "colony/files/intake.hpp"

#include "colony/files/intake_acts.hpp"
#include "colony/files/intake_task.hpp"
#include "colony/files/text.hpp"
#include "colony/stored.hpp"
#include "colony/tasks/working.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace hive::colony::files {
namespace {

using tasks::State;
using tasks::Task;

constexpr std::size_t lines_told_max = 100;
constexpr std::size_t held_max = 50;

Outcome<void> keep(Colony& colony, const Incoming& incoming, const FileRow& row) {
    if (auto ok = colony.files.keep(incoming.digest, incoming.bytes); !ok)
        return refuse(ok.error());
    if (auto ok = colony.files.put(row); !ok) return refuse(ok.error());
    return {};
}

// The state that a note asks its task to have, if it asks for one.
std::optional<State> asked_by(const Document& document) {
    if (document.kind == "CLAIM") return State::claimed;
    const bool answers = document.kind.empty() || document.kind == "RESPONSE" ||
                         document.kind == "TASK" || document.kind == "REPORT" ||
                         document.kind == "COMPLETION" || document.kind == "STATUS" ||
                         document.kind == "UPDATE";
    if (!answers || document.state.source.empty()) return std::nullopt;
    const State said = document.state.value;
    if (said == State::pending || said == State::waiting) return std::nullopt;
    const bool news = document.kind == "STATUS" || document.kind == "UPDATE";
    if (news && said != State::in_progress && said != State::blocked) return std::nullopt;
    return said;
}

std::string note_of(const Document& document) {
    return fmt::format("{} ({})", clipped(document.title.value, 200), document.path);
}

// What a note says of its task is done if the lease allows it; if not, the note still stands.
Outcome<void> follow(Colony& colony, const Document& document, const Link& link, Taken& taken) {
    const auto wanted = asked_by(document);
    if (!wanted || !link.sure()) return {};
    auto task = colony.tasks.search.find(link.task);
    if (!task) return refuse(task.error());
    if (!*task) return {};
    const Task before = **task;
    const bool theirs = !before.lease || before.lease->holder == document.sender.value;
    if (before.state == *wanted && theirs) return {};
    if (is_over(before.state) && before.state != State::failed) {
        taken.what += fmt::format("; {} is {} already", before.ref, name_of(before.state));
        return {};
    }
    const auto done = bring_to(
        colony, before, *wanted, {document.sender.value, note_of(document), document.time.value});
    if (done) {
        taken.what += fmt::format("; {} is {} now", done->ref, name_of(done->state));
        return {};
    }
    if (done.error().code.empty()) return refuse(done.error()); // the store's trouble
    Conflict conflict{
        document.path, "state", json::value(name_of(*wanted)), json::value(name_of(before.state))};
    taken.what += "; refused: " + done.error().detail;
    if (auto ok = tell_conflict(colony, before, conflict); !ok) return ok;
    taken.conflicts.push_back(std::move(conflict));
    return {};
}

Outcome<Taken> take_note(Colony& colony, const Incoming& incoming) {
    const Document& document = incoming.document;
    Taken taken{.path = document.path, .what = "message"};
    FileRow row = row_of(colony, incoming);
    if (document.ours) { // what it says came from the colony, unless the colony lost it
        const auto* id = document.head.find({"message"});
        auto known = id == nullptr ? Result<std::optional<channels::Message>>{std::nullopt}
                                   : colony.messages.records.find(id->value);
        if (!known) return refuse(known.error());
        if (id == nullptr || *known) {
            taken.what = "ours";
            if (auto ok = keep(colony, incoming, row); !ok) return refuse(ok.error());
            return taken;
        }
    }
    const auto link = link_of(colony, document);
    if (!link) return refuse(link.error());
    auto posted = post_note(colony, document, *link);
    if (!posted) return refuse(posted.error());
    row.entity = *posted;
    taken.entity = *posted;
    if (!link->task.empty())
        taken.what += fmt::format(", {} link to {}", link->confidence, link->ref);
    if (auto ok = follow(colony, document, *link, taken); !ok) return refuse(ok.error());
    if (auto ok = keep(colony, incoming, row); !ok) return refuse(ok.error());
    return taken;
}

// The lease of a bee that works by files goes on as long as its files move.
Outcome<void> extend_leases(Colony& colony, const std::string& bee) {
    auto held = colony.tasks.search.list({.holder = bee, .limit = held_max});
    if (!held) return refuse(held.error());
    for (const Task& task : *held) {
        if (!task.lease || task.lease->instance != "files") continue;
        const auto beaten = act_as(colony, bee_named(bee), [&](Moment& moment) {
            tasks::Bench bench{colony.tasks, colony.gate, moment, colony.zones};
            return tasks::heartbeat(bench, task.id, {task.lease->token});
        });
        if (!beaten && beaten.error().code.empty()) return refuse(beaten.error());
    }
    return {};
}

Outcome<Taken> take_heartbeat(Colony& colony, const Incoming& incoming) {
    const Document& document = incoming.document;
    Taken taken{.path = document.path, .what = "heartbeat", .entity = document.sender.value};
    if (!document.ours && document.sender.value != "unknown") {
        bees::Greeting greeting;
        if (const auto* status = document.head.find({"status"}))
            greeting.status = std::string{clipped(status->value, 40)};
        if (const auto* note = document.head.find({"message", "current focus"}))
            greeting.note = std::string{clipped(note->value, bees::last_words_max)};
        // A heartbeat of last year does not make a bee present.
        const Timestamp seen = std::min(document.time.value, colony.moment.now());
        Moment moment{bee_named(document.sender.value), seen, colony.moment.random()};
        bees::Hall hall{colony.bees, moment};
        if (auto ok = bees::greet(hall, document.sender.value, greeting); !ok)
            return refuse(ok.error());
        for (auto& event : moment.events()) colony.moment.say(std::move(event));
        if (auto ok = extend_leases(colony, document.sender.value); !ok) return refuse(ok.error());
    }
    if (auto ok = keep(colony, incoming, row_of(colony, incoming)); !ok) return refuse(ok.error());
    return taken;
}

void tell_lines(Colony& colony, const Document& document, std::uint64_t known) {
    std::size_t told = 0;
    for (std::size_t i = known; i < document.lines.size() && told < lines_told_max; ++i) {
        const LogLine& line = document.lines[i];
        if (line.sequence > 0) continue; // we wrote it ourselves
        json::object more{{"bee", document.sender.value}, {"event", line.event}};
        put(more, "task", std::string{clipped(line.task, 200)});
        put(more, "text", std::string{clipped(line.text, 500)});
        colony.moment.say(
            {.type = "bee.log",
             .entity_type = "bee",
             .entity_id = document.sender.value,
             .told = std::move(more),
             .details = {{"via", "files"}, {"file", document.path}}});
        ++told;
    }
}

Outcome<Taken>
take_log(Colony& colony, const Incoming& incoming, const std::optional<FileRow>& before) {
    const Document& document = incoming.document;
    const std::uint64_t known = before ? before->lines : 0;
    Taken taken{
        .path = document.path,
        .what = fmt::format("log, {} lines", document.lines.size()),
        .entity = document.sender.value};
    const bool live = before && !before->gone && document.lines.size() > known;
    if (live && document.lines.back().sequence == 0 && document.sender.value != "unknown") {
        const LogLine& last = document.lines.back();
        auto heard = act_as(colony, bee_named(document.sender.value), [&](Moment& moment) {
            bees::Hall hall{colony.bees, moment};
            return bees::heard(
                hall, document.sender.value, last.event.empty() ? "log" : last.event, last.text);
        });
        if (!heard) return refuse(heard.error());
        if (auto ok = extend_leases(colony, document.sender.value); !ok) return refuse(ok.error());
    }
    if (live) tell_lines(colony, document, known);
    if (auto ok = keep(colony, incoming, row_of(colony, incoming)); !ok) return refuse(ok.error());
    return taken;
}

// `<BEE>-PAUSE`: nothing for other files there.
std::string paused_bee(const Colony& colony, const Place& place) {
    constexpr std::string_view ending = "-PAUSE";
    const std::string stem = folded(place.stem);
    if (place.family != Family::control || stem.size() <= ending.size() ||
        !raised(stem).ends_with(ending))
        return {};
    return colony.aliases.resolve(stem.substr(0, stem.size() - ending.size()));
}

Outcome<void> set_paused(Colony& colony, const std::string& id, bool paused) {
    return act_as(colony, someone(), [&](Moment& moment) -> Outcome<void> {
        bees::Hall hall{colony.bees, moment};
        auto known = colony.bees.find(id);
        if (!known) return refuse(known.error());
        if (!*known) {
            if (!paused) return {};
            if (auto ok = bees::greet(hall, id, {}); !ok) return refuse(ok.error());
        }
        if (auto ok = bees::pause(hall, id, paused); !ok) return refuse(ok.error());
        return {};
    });
}

Outcome<Taken> take_control(Colony& colony, const Incoming& incoming) {
    Taken taken{.path = incoming.document.path, .what = "control"};
    if (const auto bee = paused_bee(colony, incoming.document.place); !bee.empty()) {
        if (auto ok = set_paused(colony, bee, true); !ok) return refuse(ok.error());
        taken.what = bee + " is paused";
        taken.entity = bee;
    }
    if (auto ok = keep(colony, incoming, row_of(colony, incoming)); !ok) return refuse(ok.error());
    return taken;
}

// Its task has no file now, unless it has moved on to another place.
Outcome<void> leave_place(Colony& colony, const FileRow& row) {
    if (row.family != Family::task || row.entity.empty()) return {};
    auto task = colony.tasks.search.find(row.entity);
    if (!task) return refuse(task.error());
    if (!*task || (*task)->file_path != row.path) return {};
    if (auto ok = colony.tasks.records.place(row.entity, "", colony.moment.now()); !ok)
        return refuse(ok.error());
    return {};
}

} // namespace

Outcome<Taken> take(Colony& colony, const Incoming& incoming) {
    const Document& document = incoming.document;
    auto before = colony.files.find(document.path);
    if (!before) return refuse(before.error());
    if (*before && !(*before)->gone && (*before)->digest == incoming.digest) {
        return Taken{.path = document.path, .what = "known", .entity = (*before)->entity};
    }
    switch (document.place.family) {
    case Family::task:
        if (is_note(document) && !document.task) return take_note(colony, incoming);
        return take_task(colony, incoming, *before);
    case Family::response:
    case Family::message: return take_note(colony, incoming);
    case Family::heartbeat: return take_heartbeat(colony, incoming);
    case Family::log: return take_log(colony, incoming, *before);
    case Family::control: return take_control(colony, incoming);
    case Family::session:
    case Family::board:
    case Family::document: break;
    }
    if (auto ok = keep(colony, incoming, row_of(colony, incoming)); !ok) return refuse(ok.error());
    return Taken{.path = document.path, .what = "kept"};
}

Outcome<Taken> forget(Colony& colony, std::string_view path) {
    auto row = colony.files.find(path);
    if (!row) return refuse(row.error());
    Taken taken{.path = std::string{path}, .what = "gone"};
    if (!*row || (*row)->gone) return taken;
    taken.entity = (*row)->entity;
    if (const auto bee = paused_bee(colony, place_of(path)); !bee.empty()) {
        if (auto ok = set_paused(colony, bee, false); !ok) return refuse(ok.error());
        taken.what = bee + " may work again";
    }
    if (auto ok = leave_place(colony, **row); !ok) return refuse(ok.error());
    (*row)->gone = true;
    (*row)->synced = colony.moment.now();
    if (auto ok = colony.files.put(**row); !ok) return refuse(ok.error());
    return taken;
}

} // namespace hive::colony::files
