#include "api/rest/swarm_unit.hpp"

#include "api/rest/swarm_json.hpp"
#include "kernel/text.hpp"
#include "orchestrator/stored.hpp"
#include "store/ask_tables.hpp"
#include "store/journal_tables.hpp"
#include "store/swarm_tables.hpp"

#include <iterator>
#include <map>

namespace hive::rest {
namespace {

using orchestrator::JournalEntry;
using orchestrator::Phase;
using orchestrator::Swarm;

constexpr std::size_t word_bytes_max = 255;
constexpr std::size_t data_bytes_max = std::size_t{64} << 10U;

std::string data_of(const JournalEntry& entry) {
    std::string text = to_text(entry.data);
    if (text.size() <= data_bytes_max) return text;
    return to_text(json::object{{"omitted", "too large to be kept"}, {"bytes", text.size()}});
}

// Words of envelopes come from elsewhere: what a column cannot hold must not stop the journal.
store::JournalRow row_of(const JournalEntry& entry) {
    const auto word = [](const std::string& text) { return printable(text, word_bytes_max); };
    return {
        .swarm = word(entry.swarm),
        .run = word(entry.run),
        .time = entry.at,
        .severity = static_cast<std::int64_t>(entry.severity),
        .kind = word(entry.kind),
        .type = word(entry.type),
        .origin = word(entry.origin),
        .correlation_id =
            entry.correlation_id ? std::optional{word(*entry.correlation_id)} : std::nullopt,
        .data = data_of(entry)};
}

Status save(store::SwarmTable& table, const Swarm& swarm, Timestamp now) {
    // A swarm that somebody asked for has its run already, from the rider of that request.
    if (swarm.phase == Phase::creating) {
        auto begun = table.begin_run({.id = swarm.run, .swarm = swarm.id.text(), .created = now});
        if (!begun) return begun;
    }
    if (swarm.phase == Phase::removed) {
        if (auto ended = table.end_run(swarm.run, now); !ended) return ended;
    }
    return table.save(
        {.id = swarm.id.text(),
         .run = swarm.run,
         .wish = std::string{name_of(swarm.wish)},
         .phase = std::string{name_of(swarm.phase)},
         .changed = now,
         .body = to_text(to_stored(swarm))});
}

Status save_asks(store::AskTable& table, const orchestrator::Batch& batch, Timestamp now) {
    for (const orchestrator::AskRecord& ask : batch.asks) {
        auto added = table.add(
            {.correlation_id = ask.attempt.correlation_id,
             .asked = ask.asked_at,
             .body = to_text(to_stored(ask))});
        if (!added) return added;
    }
    for (const orchestrator::Ended& ended : batch.endings) {
        const std::string outcome = to_text(to_stored(ended));
        if (auto ok = table.end({ended.asked.correlation_id, now, outcome}); !ok) return ok;
    }
    return {};
}

Status carry(const SwarmRider& rider, Change& change, const HiveId& hive) {
    for (const Happening& happening : rider.happenings) {
        if (auto ok = change.record(happening); !ok) return ok;
    }
    if (rider.run) {
        store::SwarmTable table{change.session(), hive};
        if (auto ok = table.begin_run(*rider.run); !ok) return ok;
    }
    if (rider.more) {
        if (auto ok = rider.more(change); !ok) return ok;
    }
    if (!rider.kept) return {};
    const auto kept =
        store::keep_answer(change.session(), rider.kept->request, rider.kept->answer, change.now());
    // Another try has taken the key over, after a long outage. The wish was made all the same.
    if (!kept && kept.error().code == Errc::conflict) return {};
    return kept;
}

// What became of swarms, for those outside: what was asked of them is recorded by riders.
Status tell(Outbox* outbox, store::Session& session, const JournalEntry& entry) {
    const bool news =
        entry.kind == "outcome" || entry.kind == "alert" || entry.kind == "transition";
    if (outbox == nullptr || !news) return {};
    json::object data = to_json(entry);
    data["entityType"] = "swarm";
    data["entityId"] = entry.swarm;
    return outbox->take(session, {"swarm." + entry.kind, data, entry.at});
}

} // namespace

Status SwarmUnitWork::operator()(store::Session& session, store::Facts& facts) const {
    announcements->clear();
    std::vector<store::JournalRow> rows;
    std::map<std::string_view, const Swarm*>
        newest; // null: forgotten; one row each, whatever it went through
    for (const auto& batch : unit->batches) {
        for (const JournalEntry& entry : batch.entries) rows.push_back(row_of(entry));
        for (const Swarm& swarm : batch.swarms) newest[swarm.id.text()] = &swarm;
        for (const SwarmId& gone : batch.forgotten) newest[gone.text()] = nullptr;
    }
    const auto added = store::JournalTable{session, unit->hive}.append(rows, unit->name);
    if (!added) return fail(added.error());
    if (!*added) return {}; // done before, though nobody could say so
    for (const auto& batch : unit->batches) {
        for (const auto& rides : batch.riders) {
            const auto* rider = dynamic_cast<const SwarmRider*>(rides.get());
            if (rider == nullptr) continue; // nobody of ours
            Change change{session, rider->cause, unit->now, outbox};
            if (auto ok = carry(*rider, change, unit->hive); !ok) return ok;
            std::ranges::move(change.facts(), std::back_inserter(facts));
            std::ranges::move(change.announcements(), std::back_inserter(*announcements));
        }
    }
    store::AskTable asks{session, unit->hive};
    for (const auto& batch : unit->batches) {
        for (const JournalEntry& entry : batch.entries) {
            if (auto ok = tell(outbox, session, entry); !ok) return ok;
        }
        if (auto ok = save_asks(asks, batch, unit->now); !ok) return ok;
    }
    store::SwarmTable table{session, unit->hive};
    for (const auto& [id, swarm] : newest) {
        const auto ok = swarm == nullptr ? table.remove(id) : save(table, *swarm, unit->now);
        if (!ok) return ok;
    }
    return {};
}

} // namespace hive::rest
