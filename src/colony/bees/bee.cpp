#include "colony/bees/bee.hpp"

#include "colony/stored.hpp"
#include "kernel/duration.hpp"
#include "kernel/timestamp.hpp"

#include <fmt/format.h>

#include <array>

namespace hive::colony::bees {
namespace {

constexpr Duration fresh = std::chrono::seconds{5};
constexpr std::array<std::string_view, 3> silence_names{"none", "quiet", "silent"};

void say(Hall& hall, std::string type, const Bee& bee, json::object more = {}) {
    json::object told = std::move(more);
    told["bee"] = bee.id;
    if (!bee.status.empty()) told["status"] = bee.status;
    hall.moment.say(
        {.type = std::move(type),
         .entity_type = "bee",
         .entity_id = bee.id,
         .told = std::move(told)});
}

Outcome<Bee> found_or_new(const Hall& hall, const std::string& id) {
    auto found = hall.book.find(id);
    if (!found) return refuse(found.error());
    if (*found) return **std::move(found);
    return Bee{.id = id, .first_seen = hall.moment.now()};
}

// Not through the middle of a character.
std::string_view shortened(std::string_view text, std::size_t most) {
    if (text.size() <= most) return text;
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xC0U) == 0x80U) --most;
    return text.substr(0, most);
}

// It is there again, which ends an alarm.
void arrive(Hall& hall, Bee& bee) {
    const bool first = bee.last_seen == Timestamp{};
    if (first) say(hall, "bee.joined", bee);
    if (bee.alarm != Silence::none) {
        say(hall, "bee.back", bee,
            {{"after", format_duration(std::chrono::floor<std::chrono::seconds>(
                           hall.moment.now() - bee.last_seen))}});
        bee.alarm = Silence::none;
    }
    bee.last_seen = hall.moment.now();
}

Bee bee_in(const json::object& in) {
    Bee bee{
        .id = std::string{in.at("id").as_string()},
        .skills = words_in(in, "skills"),
        .status = text_in(in, "status"),
        .note = text_in(in, "note"),
        .first_seen = time_at(in, "firstSeen"),
        .last_seen = time_at(in, "lastSeen"),
        .last_act = text_in(in, "lastAct"),
        .paused = in.contains("paused"),
        .metadata = object_in(in, "metadata")};
    const auto* alarm = std::ranges::find(silence_names, text_in(in, "alarm"));
    if (alarm != silence_names.end())
        bee.alarm = static_cast<Silence>(alarm - silence_names.begin());
    return bee;
}

} // namespace

Outcome<Bee> greet(Hall& hall, const std::string& id, const Greeting& greeting) {
    auto bee = found_or_new(hall, id);
    if (!bee) return bee;
    const Bee before = *bee;
    if (greeting.skills) bee->skills = *greeting.skills;
    if (greeting.status) bee->status = *greeting.status;
    if (greeting.note) bee->note = *greeting.note;
    if (greeting.metadata) bee->metadata = *greeting.metadata;
    const bool changed = bee->skills != before.skills || bee->status != before.status ||
                         bee->note != before.note || bee->metadata != before.metadata;
    arrive(hall, *bee);
    if (changed) say(hall, "bee.changed", *bee, {{"note", bee->note}});
    if (auto ok = hall.book.put(*bee); !ok) return refuse(ok.error());
    return bee;
}

Outcome<void>
heard(Hall& hall, const std::string& id, std::string_view act, std::string_view words) {
    auto bee = found_or_new(hall, id);
    if (!bee) return refuse(bee.error());
    const bool lately = hall.moment.now() - bee->last_seen < fresh;
    if (lately && bee->last_act == act && words.empty()) return {};
    arrive(hall, *bee);
    bee->last_act = act;
    if (!words.empty()) bee->note = shortened(words, last_words_max);
    if (auto ok = hall.book.put(*bee); !ok) return refuse(ok.error());
    return {};
}

Outcome<Bee> pause(Hall& hall, const std::string& id, bool paused) {
    auto found = hall.book.find(id);
    if (!found) return refuse(found.error());
    if (!*found) {
        return refuse(Errc::not_found, "no-such-bee", fmt::format("there is no bee '{}'", id));
    }
    Bee bee = **std::move(found);
    if (bee.paused == paused) return bee;
    bee.paused = paused;
    if (auto ok = hall.book.put(bee); !ok) return refuse(ok.error());
    say(hall, paused ? "bee.paused" : "bee.resumed", bee);
    return bee;
}

Outcome<std::size_t> report_silence(Hall& hall, const SilencePolicy& policy, std::size_t limit) {
    std::size_t told = 0;
    for (const auto& [after, alarm] :
         {std::pair{policy.silent_after, Silence::silent}, {policy.quiet_after, Silence::quiet}}) {
        auto unheard = hall.book.unheard(hall.moment.now() - after, alarm, limit);
        if (!unheard) return refuse(unheard.error());
        for (Bee& bee : *unheard) {
            bee.alarm = alarm;
            if (auto ok = hall.book.put(bee); !ok) return refuse(ok.error());
            say(hall, alarm == Silence::silent ? "bee.silent" : "bee.quiet", bee,
                {{"since", format_timestamp(bee.last_seen)}});
            ++told;
        }
    }
    return told;
}

std::string_view name_of(Silence silence) noexcept {
    return silence_names.at(static_cast<std::size_t>(silence));
}

json::object to_json(const Bee& bee) {
    json::object out{
        {"id", bee.id},
        {"firstSeen", format_timestamp(bee.first_seen)},
        {"lastSeen", format_timestamp(bee.last_seen)},
        {"alarm", name_of(bee.alarm)}};
    put(out, "skills", bee.skills);
    put(out, "status", bee.status);
    put(out, "note", bee.note);
    put(out, "lastAct", bee.last_act);
    put(out, "metadata", bee.metadata);
    if (bee.paused) out["paused"] = true;
    return out;
}

Result<Bee> from_stored(std::string_view text) {
    return read_stored("bee", text, bee_in);
}

} // namespace hive::colony::bees
