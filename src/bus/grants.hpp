#pragma once

#include "bus/layout.hpp"
#include "kernel/id.hpp"
#include "kernel/result.hpp"

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hive::bus {

// What one party may do on a bus; what is not granted is denied. A broker enforces its own rights;
// these make the same rules hold where there is no broker.
class Grants {
public:
    static Grants everything();
    // The only one that publishes lifecycle signals. It reads and removes objects of every swarm
    // but declares none of their work objects.
    static Grants orchestrator(const InstanceId& instance);
    // Everything in its own swarm and nothing outside, lifecycle signals excepted.
    static Grants controller(const SwarmId& swarm, const InstanceId& instance);
    // Its own control queue and its own events; work only within its swarm.
    static Grants worker(const SwarmId& swarm, const Role& role, const InstanceId& instance);
    // Somebody who only watches, as a run does: reads events through exclusive queues of its own
    // (`ph.debug.#`, `ph.observer.#`) and looks at the depths of work queues.
    static Grants observer();

    // Each is Errc::denied with the party and the key or object in the message.
    Status may_publish(std::string_view exchange, std::string_view key) const;
    Status may_declare(const Exchange& exchange) const;
    Status may_declare(const Queue& queue) const;
    Status may_bind(const Binding& binding) const; // and unbind
    Status may_consume(std::string_view queue) const;
    Status may_inspect(std::string_view queue) const;
    Status may_remove_queue(std::string_view queue) const; // and purge
    Status may_remove_exchange(std::string_view exchange) const;

private:
    enum class Right : std::uint8_t { inspect, consume, declare, remove };
    // Patterns are topics over the dotted names: `*` one word, `#` any number of words.
    struct KeyRule {
        std::string exchange;
        std::string key;
        std::string queue{}; // of bindings only
    };
    struct ObjectRule {
        Right right;
        std::string name;
        bool exclusive_only = false; // for declarations
    };

    explicit Grants(std::string party) : party_{std::move(party)} {}
    void let_publish(std::string_view exchange, std::string_view key);
    void let_bind(std::string_view exchange, std::string_view key, std::string_view queue);
    void let_queue(std::initializer_list<Right> rights, const std::string& name);
    void let_exchange(std::initializer_list<Right> rights, const std::string& name);
    void let_read_privately(const std::string& name);
    Status check(Right right, std::string_view verb, std::string_view queue) const;

    std::string party_; // for messages
    std::vector<KeyRule> publishes_;
    std::vector<KeyRule> bindings_;
    std::vector<ObjectRule> queues_;
    std::vector<ObjectRule> exchanges_;
};

// Whether every key that the topic pattern `asked` matches is also matched by `granted`. Errs on
// the side of no for patterns that are equal in meaning only.
bool covers(std::string_view granted, std::string_view asked);

} // namespace hive::bus
