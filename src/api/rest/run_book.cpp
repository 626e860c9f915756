#include "api/rest/run_book.hpp"

#include "wire/envelope_codec.hpp"

#include <algorithm>
#include <utility>

namespace hive::rest {

using orchestrator::JournalEntry;
using orchestrator::Phase;

void RunBook::changed(const orchestrator::SwarmReport& report) {
    const orchestrator::Swarm& swarm = report.swarm;
    const bool gone = swarm.phase == Phase::removed;
    Entries entries;
    {
        const std::lock_guard lock{mutex_};
        auto at = pages_.find(swarm.id);
        if (at != pages_.end() && at->second.run != swarm.run) {
            write(swarm.id, at->second, entries);
            pages_.erase(at);
            at = pages_.end();
        }
        if (at == pages_.end() && !gone) {
            Page fresh{.run = swarm.run, .measured = run::Measured{clock_->wall()}};
            at = pages_.emplace(swarm.id, std::move(fresh)).first;
        }
        if (at != pages_.end()) {
            Page& page = at->second;
            const bool was = std::exchange(page.running, swarm.phase == Phase::running);
            if (was && !page.running) write(swarm.id, page, entries);
            if (gone) {
                write(swarm.id, page, entries);
                pages_.erase(at);
            }
        }
    }
    give(std::move(entries));
}

void RunBook::control(std::string_view routing_key, std::string_view body) {
    // Most of what passes measures nothing: it is not worth reading.
    if (!routing_key.starts_with("event.metric.")) return;
    if (body.find("\"latencyUs\"") == std::string_view::npos) return;
    const auto envelope = wire::decode_envelope(body);
    if (!envelope || envelope->scope.swarm.is_all()) return;
    const SwarmId& swarm = *envelope->scope.swarm.id();
    Entries entries;
    {
        const std::lock_guard lock{mutex_};
        const auto at = pages_.find(swarm);
        if (at == pages_.end()) return;
        Page& page = at->second;
        const Timestamp now = clock_->wall();
        if (!page.measured.hear(*envelope, now)) return;
        page.dirty = true;
        // Once it has stopped only the last words of its bees come, and they count too.
        const bool due = now - page.measured.began() >= page.next;
        if (due || !page.running) write(swarm, page, entries);
        if (due) page.next *= 2;
    }
    give(std::move(entries));
}

void RunBook::close() {
    Entries entries;
    {
        const std::lock_guard lock{mutex_};
        for (auto& [swarm, page] : pages_) write(swarm, page, entries);
    }
    give(std::move(entries));
}

std::optional<json::object> RunBook::report(std::string_view run) const {
    const std::lock_guard lock{mutex_};
    for (const auto& [swarm, page] : pages_) {
        if (page.run == run && !page.measured.empty()) return page.measured.report();
    }
    return std::nullopt;
}

void RunBook::write(const SwarmId& swarm, Page& page, Entries& out) const {
    if (!std::exchange(page.dirty, false)) return;
    out.push_back(
        {.at = clock_->wall(),
         .swarm = swarm.text(),
         .run = page.run,
         .kind = std::string{measure_kind},
         .type = std::string{report_type},
         .origin = origin_,
         .data = page.measured.report()});
}

void RunBook::give(Entries entries) const {
    for (JournalEntry& entry : entries) keep_(std::move(entry));
}

} // namespace hive::rest
