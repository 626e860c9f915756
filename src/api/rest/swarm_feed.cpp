#include "api/rest/swarm_feed.hpp"

#include "api/rest/swarm_json.hpp"
#include "kernel/text.hpp"
#include "wire/routing.hpp"

namespace hive::rest {

void SwarmFeed::attach(api::EventHub& hub) {
    const std::lock_guard lock{mutex_};
    hub_ = &hub;
}

void SwarmFeed::detach() {
    const std::lock_guard lock{mutex_};
    hub_ = nullptr;
}

void SwarmFeed::publish(std::string topic, std::string data) {
    const std::lock_guard lock{mutex_};
    if (hub_ != nullptr) hub_->publish(std::move(topic), std::move(data));
}

void SwarmFeed::changed(const orchestrator::SwarmReport& report) {
    publish(
        "swarm.state." + report.swarm.id.text(),
        to_text(swarm_summary(report, {clock_->wall(), stale_after_})));
}

void SwarmFeed::entered(const orchestrator::JournalEntry& entry) {
    // An entry names its swarm as an envelope did, or not at all.
    const bool plain = SwarmId::parse(entry.swarm).has_value();
    publish("swarm.journal." + (plain ? entry.swarm : "hive"), to_text(to_json(entry)));
}

void SwarmFeed::announced(const Change::Announcement& announcement) {
    publish(announcement.topic, announcement.data);
}

void SwarmFeed::control(std::string_view routing_key, std::string_view body) {
    // Anybody may publish anything on a broker; listeners are promised JSON under a known topic.
    const bool sound = wire::parse_routing_key(routing_key) && parse_json(body);
    if (sound) {
        publish("control." + std::string{routing_key}, std::string{body});
    } else {
        publish(
            "control.malformed",
            to_text(json::object{
                {"routingKey", printable(routing_key, 256)}, {"body", printable(body, 1024)}}));
    }
}

} // namespace hive::rest
