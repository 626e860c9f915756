#pragma once

#include "tests/simulation/world.hpp"
#include "wire/names.hpp"

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace hive::simulation {

// Components without a will of their own, for tests of the world itself: the test acts through
// them, and what they hear is kept here, beyond their deaths.
class Puppets {
public:
    enum class Manner : std::uint8_t {
        ack,     // at once
        keep,    // in hand, unsettled
        requeue, // at once
    };

    explicit Puppets(WorldOptions options = {}) : world{std::move(options)} {}

    // Lives from the next step on; `enter` makes that step.
    void add(const std::string& name) {
        world.add(name, [this, name](Host& host) {
            auto puppet = std::make_unique<Puppet>(host);
            on_stage_[name] = puppet.get();
            return puppet;
        });
    }
    void enter(const std::string& name) {
        add(name);
        world.run_until({.condition = [&] { return world.lives(name); }});
    }

    Host& host(const std::string& name) { return on_stage_.at(name)->host; }
    bus::Topology& topology(const std::string& name) { return host(name).connection().topology(); }
    bus::ControlBus& control(const std::string& name) { return host(name).connection().control(); }

    Status declare(const std::string& name, const bus::Queue& queue, const std::string& key) {
        return topology(name).declare(
            {.queues = {queue},
             .bindings = {{std::string{wire::control_exchange}, key, queue.name}}});
    }
    Status listen(
        const std::string& name, const std::string& queue, Manner manner = Manner::ack,
        std::size_t prefetch = 10) {
        Puppet& puppet = *on_stage_.at(name);
        auto subscription = control(name).consume(
            queue,
            [this, &puppet, name, manner](bus::ControlDelivery delivery) {
                heard[name].push_back(
                    delivery.message().body + (delivery.redelivered() ? " again" : ""));
                if (manner == Manner::ack) delivery.ack();
                if (manner == Manner::keep) puppet.kept.push_back(std::move(delivery));
            },
            prefetch);
        if (!subscription) return fail(subscription.error());
        puppet.subscriptions.push_back(std::move(*subscription));
        return {};
    }
    void stop_listening(const std::string& name) { on_stage_.at(name)->subscriptions.clear(); }
    std::vector<bus::ControlDelivery>& kept(const std::string& name) {
        return on_stage_.at(name)->kept;
    }
    Status
    say(const std::string& name, const std::string& key, const std::string& body,
        bus::Persistence persistence = bus::Persistence::persistent) {
        return control(name).publish({key, body}, persistence);
    }
    void pass(Duration time) { world.run_until({.time = world.clock().now() + time}); }

    std::map<std::string, std::vector<std::string>> heard;

private:
    struct Puppet final : Component {
        explicit Puppet(Host& its_host) : host{its_host} {}
        Host& host;
        std::vector<bus::ControlDelivery> kept{};
        std::vector<Subscription> subscriptions{};
    };

    std::map<std::string, Puppet*> on_stage_;

public:
    World world; // after what its components use
};

} // namespace hive::simulation
