#include "bus/grants.hpp"

#include "wire/names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace hive::bus {
namespace {

constexpr std::string_view control = wire::control_exchange;
constexpr std::string_view straight; // the exchange that leads to the queue named by the key

std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    for (auto dot = text.find('.'); dot != text.npos; dot = text.find('.')) {
        words.push_back(text.substr(0, dot));
        text.remove_prefix(dot + 1);
    }
    words.push_back(text);
    return words;
}

bool covers_word(std::string_view granted, std::string_view asked) {
    return granted == "*" ? asked != "#" : granted == asked;
}

} // namespace

bool covers(std::string_view granted, std::string_view asked) {
    const auto have = words_of(granted);
    const auto want = words_of(asked);
    std::size_t i = 0;
    std::size_t j = 0;
    // Where to go on when the latest `#` has to take one word more.
    std::size_t after_hash = 0;
    std::size_t taken_by_hash = 0;
    bool hash = false;
    while (j < want.size()) {
        if (i < have.size() && have[i] == "#") {
            hash = true;
            after_hash = ++i;
            taken_by_hash = j;
        } else if (i < have.size() && covers_word(have[i], want[j])) {
            ++i;
            ++j;
        } else if (hash) {
            i = after_hash;
            j = ++taken_by_hash;
        } else {
            return false;
        }
    }
    while (i < have.size() && have[i] == "#") ++i;
    return i == have.size();
}

Grants Grants::everything() {
    using enum Right;
    Grants grants{"this party"};
    grants.let_publish("#", "#");
    grants.let_bind("#", "#", "#");
    grants.let_queue({inspect, consume, declare, remove}, "#");
    grants.let_exchange({declare, remove}, "#");
    return grants;
}

Grants Grants::orchestrator(const InstanceId& instance) {
    using enum Right;
    Grants grants{fmt::format("orchestrator '{}'", instance.text())};
    const auto own = wire::orchestrator_queue(instance);
    grants.let_publish(control, "signal.*.*.*.*");
    grants.let_publish(control, "event.*.*.*.orchestrator." + instance.text());
    // An alert is about its subject, which may be a controller that is silent or gone.
    grants.let_publish(control, "event.alert.*.*.swarm-controller.*");
    grants.let_exchange({declare}, std::string{control});
    grants.let_exchange({remove}, "ph.*.hive");
    grants.let_queue({inspect, consume, declare, remove}, own);
    grants.let_bind(control, "#", own);
    grants.let_queue({inspect, remove}, "ph.work.#");
    grants.let_queue({inspect, remove}, "ph.control.*.*.*");
    grants.let_read_privately("ph.debug.#");
    grants.let_bind(control, "#", "ph.debug.#");
    grants.let_bind("ph.*.hive", "#", "ph.debug.#");
    return grants;
}

Grants Grants::controller(const SwarmId& swarm, const InstanceId& instance) {
    using enum Right;
    const std::string& id = swarm.text();
    Grants grants{fmt::format("controller '{}' of swarm '{}'", instance.text(), id)};
    const auto exchange = wire::work_exchange(swarm);
    const auto own = fmt::format("ph.control.{}.swarm-controller.{}", id, instance.text());
    const auto work = fmt::format("ph.work.{}.#", id);
    for (const char* type : {"config-update", "status-request"}) {
        grants.let_publish(control, fmt::format("signal.{}.{}.*.*", type, id));
    }
    grants.let_publish(
        control, fmt::format("event.*.*.{}.swarm-controller.{}", id, instance.text()));
    // An alert is about its subject, which may be a bee that cannot speak for itself any more.
    grants.let_publish(control, fmt::format("event.alert.*.{}.*.*", id));

    grants.let_exchange({declare}, std::string{control});
    grants.let_exchange({declare, remove}, exchange);
    grants.let_queue({inspect, declare, remove}, work);
    grants.let_publish(straight, work); // a dead-letter queue is filled this way
    grants.let_bind(exchange, "#", work);
    grants.let_queue({consume, declare}, own);
    grants.let_queue({inspect, remove}, fmt::format("ph.control.{}.*.*", id));
    for (const char* swarms : {id.c_str(), "ALL"}) {
        grants.let_bind(control, fmt::format("signal.*.{}.*.*", swarms), own);
    }
    grants.let_bind(control, fmt::format("event.*.*.{}.*.*", id), own);
    return grants;
}

Grants Grants::worker(const SwarmId& swarm, const Role& role, const InstanceId& instance) {
    using enum Right;
    const std::string& id = swarm.text();
    Grants grants{fmt::format("{} '{}' of swarm '{}'", role.text(), instance.text(), id)};
    const auto own = wire::control_queue(swarm, role, instance);
    for (const char* category : {"metric", "outcome", "alert"}) {
        grants.let_publish(
            control,
            fmt::format("event.{}.*.{}.{}.{}", category, id, role.text(), instance.text()));
    }
    grants.let_publish(wire::work_exchange(swarm), "#");
    grants.let_publish(straight, fmt::format("ph.work.{}.#", id));
    grants.let_queue({inspect, consume}, fmt::format("ph.work.{}.#", id));

    grants.let_exchange({declare}, std::string{control});
    grants.let_queue({inspect, consume, declare, remove}, own);
    for (const char* type : {"config-update", "status-request"}) {
        for (const auto& target :
             {role.text() + "." + instance.text(), role.text() + ".ALL", std::string{"ALL.ALL"}}) {
            grants.let_bind(control, fmt::format("signal.{}.{}.{}", type, id, target), own);
        }
    }
    return grants;
}

Grants Grants::observer() {
    Grants grants{"observer"};
    grants.let_exchange({Right::declare}, std::string{control}); // it may come first
    grants.let_queue({Right::inspect}, "ph.work.#");
    for (const char* name : {"ph.debug.#", "ph.observer.#"}) {
        grants.let_read_privately(name);
        grants.let_bind(control, "event.#", name);
    }
    return grants;
}

void Grants::let_publish(std::string_view exchange, std::string_view key) {
    publishes_.push_back({.exchange = std::string{exchange}, .key = std::string{key}});
}

void Grants::let_bind(std::string_view exchange, std::string_view key, std::string_view queue) {
    bindings_.push_back({std::string{exchange}, std::string{key}, std::string{queue}});
}

void Grants::let_queue(std::initializer_list<Right> rights, const std::string& name) {
    for (const Right right : rights) queues_.push_back({right, name});
}

void Grants::let_exchange(std::initializer_list<Right> rights, const std::string& name) {
    for (const Right right : rights) exchanges_.push_back({right, name});
}

void Grants::let_read_privately(const std::string& name) {
    let_queue({Right::inspect, Right::consume, Right::remove}, name);
    queues_.push_back({.right = Right::declare, .name = name, .exclusive_only = true});
}

Status Grants::may_publish(std::string_view exchange, std::string_view key) const {
    const bool granted = std::ranges::any_of(publishes_, [&](const KeyRule& rule) {
        return covers(rule.exchange, exchange) && covers(rule.key, key);
    });
    if (granted) return {};
    if (exchange.empty()) {
        return fail(Errc::denied, fmt::format("{} may not publish to queue '{}'", party_, key));
    }
    return fail(
        Errc::denied, fmt::format("{} may not publish '{}' to '{}'", party_, key, exchange));
}

Status Grants::may_declare(const Exchange& exchange) const {
    const bool granted = std::ranges::any_of(exchanges_, [&](const ObjectRule& rule) {
        return rule.right == Right::declare && covers(rule.name, exchange.name);
    });
    if (granted) return {};
    return fail(
        Errc::denied, fmt::format("{} may not declare exchange '{}'", party_, exchange.name));
}

Status Grants::may_declare(const Queue& queue) const {
    const auto allows = [&](const ObjectRule& rule, bool exclusive) {
        return rule.right == Right::declare && covers(rule.name, queue.name) &&
               (exclusive || !rule.exclusive_only);
    };
    if (std::ranges::none_of(queues_, [&](const auto& r) { return allows(r, queue.exclusive); })) {
        const bool if_exclusive =
            std::ranges::any_of(queues_, [&](const auto& r) { return allows(r, true); });
        return fail(
            Errc::denied, fmt::format(
                              "{} may not declare queue '{}'{}", party_, queue.name,
                              if_exclusive ? " unless it is exclusive" : ""));
    }
    // Otherwise expired items would carry into a queue that the party may not fill itself.
    if (queue.dead_letter.empty()) return {};
    return may_publish(straight, queue.dead_letter);
}

Status Grants::may_bind(const Binding& binding) const {
    const bool granted = std::ranges::any_of(bindings_, [&](const KeyRule& rule) {
        return covers(rule.exchange, binding.exchange) && covers(rule.key, binding.key) &&
               covers(rule.queue, binding.queue);
    });
    if (granted) return {};
    return fail(
        Errc::denied, fmt::format(
                          "{} may not bind queue '{}' to '{}' of '{}'", party_, binding.queue,
                          binding.key, binding.exchange));
}

Status Grants::may_consume(std::string_view queue) const {
    return check(Right::consume, "consume", queue);
}

Status Grants::may_inspect(std::string_view queue) const {
    return check(Right::inspect, "inspect", queue);
}

Status Grants::may_remove_queue(std::string_view queue) const {
    return check(Right::remove, "remove", queue);
}

Status Grants::may_remove_exchange(std::string_view exchange) const {
    const bool granted = std::ranges::any_of(exchanges_, [&](const ObjectRule& rule) {
        return rule.right == Right::remove && covers(rule.name, exchange);
    });
    if (granted) return {};
    return fail(Errc::denied, fmt::format("{} may not remove exchange '{}'", party_, exchange));
}

Status Grants::check(Right right, std::string_view verb, std::string_view queue) const {
    const bool granted = std::ranges::any_of(queues_, [&](const ObjectRule& rule) {
        return rule.right == right && covers(rule.name, queue);
    });
    if (granted) return {};
    return fail(Errc::denied, fmt::format("{} may not {} queue '{}'", party_, verb, queue));
}

} // namespace hive::bus
