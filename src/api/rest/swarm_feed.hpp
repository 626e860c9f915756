#pragma once

#include "api/event_hub.hpp"
#include "api/rest/transactions.hpp"
#include "orchestrator/queen.hpp"

#include <mutex>

namespace hive::rest {

// What swarms go through as events: `swarm.state.<id>`, `swarm.journal.<id>`, and the control plane
// as `control.<routing key>`. The orchestrator lives before and after the server that has the hub,
// so what happens without one goes to nobody. From any thread.
class SwarmFeed {
public:
    SwarmFeed(const Clock& clock, Duration stale_after)
        : clock_{&clock}, stale_after_{stale_after} {}

    void attach(api::EventHub& hub);
    void detach(); // before the hub goes

    void changed(const orchestrator::SwarmReport& report);
    void entered(const orchestrator::JournalEntry& entry);
    void announced(const Change::Announcement& announcement);
    void control(std::string_view routing_key, std::string_view body);

private:
    void publish(std::string topic, std::string data);

    const Clock* clock_;
    Duration stale_after_;
    std::mutex mutex_;
    api::EventHub* hub_ = nullptr;
};

} // namespace hive::rest
