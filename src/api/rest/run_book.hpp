#pragma once

#include "kernel/clock.hpp"
#include "kernel/json.hpp"
#include "orchestrator/keeper.hpp"
#include "orchestrator/queen.hpp"
#include "run/measured.hpp"

#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::rest {

inline constexpr std::string_view measure_kind = "measure"; // of the journal
inline constexpr std::string_view report_type = "run-report";

// What runs measure, so that it is there when their swarms are not: a `run-report` enters the
// journal when a swarm stops or goes, and now and then before, at times that double. From any
// thread.
class RunBook {
public:
    // Keeps an entry; must not block.
    using Keep = std::function<void(orchestrator::JournalEntry entry)>;

    RunBook(const Clock& clock, std::string origin, Keep keep)
        : clock_{&clock}, origin_{std::move(origin)}, keep_{std::move(keep)} {}

    void changed(const orchestrator::SwarmReport& report);
    void control(std::string_view routing_key, std::string_view body);
    void close(); // the server goes: what is not written yet is

    // Up to now, of a run of a swarm that is there; null when it has measured nothing.
    std::optional<json::object> report(std::string_view run) const;

    static constexpr Duration first_after = std::chrono::minutes{1};

private:
    struct Page {
        std::string run{};
        bool running = false;
        bool dirty = false; // since the last entry
        Duration next = first_after;
        run::Measured measured;
    };
    using Entries = std::vector<orchestrator::JournalEntry>;

    void write(const SwarmId& swarm, Page& page, Entries& out) const;
    void give(Entries entries) const;

    const Clock* clock_;
    std::string origin_;
    Keep keep_;
    mutable std::mutex mutex_;
    std::map<SwarmId, Page> pages_{};
};

} // namespace hive::rest
