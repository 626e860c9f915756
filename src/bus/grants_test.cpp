#include "bus/grants.hpp"
#include "wire/bindings.hpp"
#include "wire/names.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::bus;

namespace {

const SwarmId alpha = SwarmId::parse("alpha").value();
const SwarmId beta = SwarmId::parse("beta").value();
const Role generator = Role::parse("generator").value();
const Role processor = Role::parse("processor").value();
const Role controller_role = Role::parse("swarm-controller").value();
const InstanceId queen = InstanceId::parse("queen").value();
const InstanceId marshal = InstanceId::parse("alpha-marshal").value();
const InstanceId bee = InstanceId::parse("alpha-generator-1").value();
const InstanceId other_bee = InstanceId::parse("alpha-processor-1").value();
const QueueName work = QueueName::parse("gen").value();

const std::string control{wire::control_exchange};

const Grants orchestrator = Grants::orchestrator(queen);
const Grants controller = Grants::controller(alpha, marshal);
const Grants worker = Grants::worker(alpha, generator, bee);
const Grants observer = Grants::observer();

bool granted(const Status& status) {
    if (status) return true;
    REQUIRE(status.error().code == Errc::denied);
    return false;
}

bool declares(const Grants& grants, const std::string& queue, bool exclusive = false) {
    return granted(grants.may_declare(Queue{.name = queue, .exclusive = exclusive}));
}

bool declares_exchange(const Grants& grants, const std::string& exchange) {
    return granted(grants.may_declare(Exchange{.name = exchange}));
}

} // namespace

TEST_CASE("a granted pattern covers what can only match keys that it matches itself") {
    CHECK(covers("#", "anything.at.all"));
    CHECK(covers("#", ""));
    CHECK(covers("event.#", "event"));
    CHECK(covers("event.#", "event.metric.*.alpha.#"));
    CHECK(covers("event.*.alpha", "event.*.alpha"));
    CHECK(covers("event.*.alpha", "event.metric.alpha"));
    CHECK(covers("a.#.b.#.c", "a.b.b.x.c"));
    CHECK(!covers("event.#", "#"));
    CHECK(!covers("event.#", "*.metric"));
    CHECK(!covers("event.*", "event.#"));
    CHECK(!covers("event.*", "event"));
    CHECK(!covers("event.*", "event.a.b"));
    CHECK(!covers("event.metric", "event.*"));
    CHECK(!covers("a.#.b.#.c", "a.b.x.d"));
}

TEST_CASE("everything is everything") {
    const Grants all = Grants::everything();
    CHECK(granted(all.may_publish(control, "signal.swarm-start.alpha.swarm-controller.x")));
    CHECK(granted(all.may_publish("", "any.queue")));
    CHECK(declares(all, "any.queue"));
    CHECK(declares_exchange(all, "any"));
    CHECK(granted(all.may_bind({"any", "#", "any.queue"})));
    CHECK(granted(all.may_consume("any.queue")));
    CHECK(granted(all.may_inspect("any.queue")));
    CHECK(granted(all.may_remove_queue("any.queue")));
    CHECK(granted(all.may_remove_exchange("any")));
}

TEST_CASE("only the orchestrator publishes lifecycle signals") {
    for (const char* type :
         {"swarm-template", "swarm-plan", "swarm-start", "swarm-stop", "swarm-remove"}) {
        const std::string key =
            "signal." + std::string{type} + ".alpha.swarm-controller.alpha-marshal";
        CHECK(granted(orchestrator.may_publish(control, key)));
        CHECK(!granted(controller.may_publish(control, key)));
        CHECK(!granted(worker.may_publish(control, key)));
        CHECK(!granted(observer.may_publish(control, key)));
    }
}

TEST_CASE("the orchestrator speaks for itself and not for others") {
    CHECK(granted(
        orchestrator.may_publish(control, "event.outcome.swarm-create.alpha.orchestrator.queen")));
    CHECK(granted(orchestrator.may_publish(control, "event.alert.alert.alpha.orchestrator.queen")));
    CHECK(granted(
        orchestrator.may_publish(control, "signal.config-update.ALL.swarm-controller.ALL")));
    CHECK(!granted(orchestrator.may_publish(
        control, "event.outcome.swarm-start.alpha.swarm-controller.alpha-marshal")));
    CHECK(
        !granted(orchestrator.may_publish(control, "event.alert.alert.alpha.orchestrator.other")));
}

TEST_CASE("the orchestrator has its own queue, taps and the removal of swarms") {
    const auto own = wire::orchestrator_queue(queen);
    CHECK(declares(orchestrator, own));
    CHECK(granted(orchestrator.may_consume(own)));
    for (const auto& key : wire::orchestrator_bindings()) {
        CHECK(granted(orchestrator.may_bind({control, key, own})));
    }
    const auto tap = wire::debug_tap(alpha, generator, 7);
    CHECK(declares(orchestrator, tap, true));
    CHECK(!declares(orchestrator, tap, false));
    CHECK(granted(orchestrator.may_bind({wire::work_exchange(alpha), "#", tap})));
    CHECK(granted(orchestrator.may_consume(tap)));

    CHECK(!declares(orchestrator, wire::work_queue(alpha, work)));
    CHECK(!granted(orchestrator.may_consume(wire::work_queue(alpha, work))));
    CHECK(granted(orchestrator.may_inspect(wire::work_queue(alpha, work))));
    CHECK(granted(orchestrator.may_remove_queue(wire::work_queue(alpha, work))));
    // About controllers that cannot speak for themselves; nothing else in their name.
    CHECK(granted(orchestrator.may_publish(
        "ph.control", "event.alert.alert.alpha.swarm-controller.alpha-marshal")));
    CHECK_FALSE(granted(orchestrator.may_publish(
        "ph.control", "event.outcome.swarm-start.alpha.swarm-controller.alpha-marshal")));
    CHECK(granted(orchestrator.may_remove_queue(wire::dead_letter_queue(alpha, work))));
    CHECK(granted(orchestrator.may_remove_queue(wire::control_queue(alpha, generator, bee))));
    CHECK(granted(orchestrator.may_remove_exchange(wire::work_exchange(alpha))));
    CHECK(!granted(orchestrator.may_remove_exchange(control)));
}

TEST_CASE("a controller declares, inspects and removes the objects of its swarm") {
    const auto exchange = wire::work_exchange(alpha);
    const auto queue = wire::work_queue(alpha, work);
    const auto dead = wire::dead_letter_queue(alpha, work);
    CHECK(declares_exchange(controller, exchange));
    CHECK(declares(controller, queue));
    CHECK(declares(controller, dead));
    CHECK(granted(controller.may_declare(Queue{.name = queue, .dead_letter = dead})));
    CHECK(granted(controller.may_bind({exchange, queue, queue})));
    CHECK(granted(controller.may_inspect(queue)));
    CHECK(granted(controller.may_remove_queue(queue)));
    CHECK(granted(controller.may_remove_queue(wire::control_queue(alpha, generator, bee))));
    CHECK(granted(controller.may_remove_exchange(exchange)));

    const auto own = wire::control_queue(alpha, controller_role, marshal);
    CHECK(declares(controller, own));
    CHECK(granted(controller.may_consume(own)));
    for (const auto& key : wire::controller_bindings(alpha, marshal)) {
        CHECK(granted(controller.may_bind({control, key, own})));
    }
    CHECK(!granted(controller.may_consume(wire::control_queue(alpha, generator, bee))));
}

TEST_CASE("a controller cannot touch another swarm") {
    const auto queue = wire::work_queue(beta, work);
    const auto own = wire::control_queue(alpha, controller_role, marshal);
    CHECK(!declares_exchange(controller, wire::work_exchange(beta)));
    CHECK(!declares(controller, queue));
    CHECK(!granted(controller.may_inspect(queue)));
    CHECK(!granted(controller.may_remove_queue(queue)));
    CHECK(!granted(controller.may_remove_exchange(wire::work_exchange(beta))));
    CHECK(!granted(controller.may_remove_queue(wire::orchestrator_queue(queen))));
    CHECK(!granted(controller.may_consume(wire::control_queue(beta, generator, bee))));
    CHECK(!granted(controller.may_publish("", queue)));
    CHECK(!granted(controller.may_publish(wire::work_exchange(beta), "x")));
    CHECK(!granted(controller.may_publish(control, "signal.config-update.beta.ALL.ALL")));
    CHECK(!granted(controller.may_publish(control, "signal.config-update.ALL.ALL.ALL")));
    CHECK(!granted(controller.may_publish(
        control, "event.metric.status-full.beta.swarm-controller.alpha-marshal")));
    CHECK(!granted(controller.may_bind({control, "event.#", own})));
    CHECK(!granted(controller.may_bind({control, "event.metric.*.beta.*.*", own})));
    CHECK(!granted(controller.may_bind({control, "signal.*.*.*.*", own})));
    CHECK(!granted(
        controller.may_bind({wire::work_exchange(beta), "#", wire::work_queue(alpha, work)})));
    // Nor by the back door: what expires in its own queue must not flow into another swarm.
    CHECK(!granted(controller.may_declare(
        Queue{.name = wire::work_queue(alpha, work), .dead_letter = queue})));
}

TEST_CASE("a controller commands its bees and reports for itself") {
    CHECK(granted(controller.may_publish(control, "signal.config-update.alpha.ALL.ALL")));
    CHECK(granted(controller.may_publish(control, "signal.status-request.alpha.generator.g-1")));
    CHECK(granted(controller.may_publish(
        control, "event.outcome.swarm-start.alpha.swarm-controller.alpha-marshal")));
    CHECK(granted(controller.may_publish(control, "event.alert.alert.alpha.generator.g-1")));
    CHECK(!granted(controller.may_publish(
        control, "event.metric.status-full.alpha.generator.alpha-generator-1")));
}

TEST_CASE("a worker publishes only its own status, outcomes and alerts") {
    for (const char* kind : {"metric.status-delta", "outcome.config-update", "alert.alert"}) {
        const std::string prefix = "event." + std::string{kind};
        CHECK(granted(worker.may_publish(control, prefix + ".alpha.generator.alpha-generator-1")));
        CHECK(!granted(worker.may_publish(control, prefix + ".alpha.generator.alpha-generator-2")));
        CHECK(!granted(worker.may_publish(control, prefix + ".alpha.processor.alpha-generator-1")));
        CHECK(!granted(worker.may_publish(control, prefix + ".beta.generator.alpha-generator-1")));
    }
    CHECK(!granted(worker.may_publish(control, "signal.config-update.alpha.ALL.ALL")));
}

TEST_CASE("a worker uses the work objects of its swarm and declares none") {
    const auto queue = wire::work_queue(alpha, work);
    CHECK(granted(worker.may_publish(wire::work_exchange(alpha), queue)));
    CHECK(granted(worker.may_publish("", queue)));
    CHECK(granted(worker.may_publish("", wire::dead_letter_queue(alpha, work))));
    CHECK(granted(worker.may_consume(queue)));
    CHECK(granted(worker.may_inspect(queue)));
    CHECK(!declares(worker, queue));
    CHECK(!declares_exchange(worker, wire::work_exchange(alpha)));
    CHECK(!granted(worker.may_remove_queue(queue)));
    CHECK(!granted(worker.may_bind({wire::work_exchange(alpha), queue, queue})));
    CHECK(!granted(worker.may_publish(wire::work_exchange(beta), queue)));
    CHECK(!granted(worker.may_publish("", wire::work_queue(beta, work))));
    CHECK(!granted(worker.may_consume(wire::work_queue(beta, work))));
}

TEST_CASE("a worker has its own control queue and no other") {
    const auto own = wire::control_queue(alpha, generator, bee);
    const auto other = wire::control_queue(alpha, processor, other_bee);
    CHECK(declares(worker, own));
    CHECK(granted(worker.may_consume(own)));
    CHECK(granted(worker.may_remove_queue(own)));
    for (const auto& key : wire::worker_bindings(alpha, generator, bee)) {
        CHECK(granted(worker.may_bind({control, key, own})));
    }
    CHECK(!granted(worker.may_bind({control, "signal.#", own})));
    CHECK(!granted(worker.may_bind({control, "event.#", own})));
    CHECK(!declares(worker, other));
    CHECK(!granted(worker.may_consume(other)));
    CHECK(!granted(worker.may_publish("", other)));
}

TEST_CASE("an observer reads events through exclusive queues of its own and writes nothing") {
    CHECK(declares(observer, "ph.observer.ui-1", true));
    CHECK(declares(observer, wire::debug_tap(alpha, generator, 7), true));
    CHECK(!declares(observer, "ph.observer.ui-1", false));
    CHECK(!declares(observer, wire::work_queue(alpha, work), true));
    CHECK(granted(observer.may_bind({control, "event.#", "ph.observer.ui-1"})));
    CHECK(granted(observer.may_bind({control, "event.metric.*.alpha.#", "ph.observer.ui-1"})));
    CHECK(granted(observer.may_consume("ph.observer.ui-1")));
    CHECK(!granted(observer.may_bind({control, "signal.#", "ph.observer.ui-1"})));
    CHECK(!granted(observer.may_bind({control, "#", "ph.observer.ui-1"})));
    CHECK(!granted(observer.may_bind({wire::work_exchange(alpha), "#", "ph.observer.ui-1"})));
    CHECK(!granted(observer.may_consume(wire::work_queue(alpha, work))));
    CHECK(!granted(observer.may_consume(wire::orchestrator_queue(queen))));
    CHECK(!granted(observer.may_publish(control, "event.alert.alert.alpha.x.y")));
    CHECK(!granted(observer.may_publish(control, "signal.status-request.alpha.ALL.ALL")));
    CHECK(!granted(observer.may_publish("", "ph.observer.ui-1")));
    CHECK(declares_exchange(observer, control));
    CHECK(!declares_exchange(observer, wire::work_exchange(alpha)));
    CHECK(granted(observer.may_inspect(wire::work_queue(alpha, work))));
    CHECK(!granted(observer.may_remove_queue(wire::work_queue(alpha, work))));
    CHECK(!granted(observer.may_declare(
        Queue{.name = "ph.observer.ui-1", .exclusive = true, .dead_letter = "ph.work.alpha.gen"})));
}

TEST_CASE("a denial names the party and the key or object") {
    const auto key = controller.may_publish(control, "signal.swarm-start.alpha.x.y");
    REQUIRE(!key.has_value());
    CHECK(key.error().detail.find("signal.swarm-start.alpha.x.y") != std::string::npos);
    CHECK(key.error().detail.find("alpha-marshal") != std::string::npos);
    const auto queue = worker.may_consume("ph.work.beta.gen");
    REQUIRE(!queue.has_value());
    CHECK(queue.error().detail.find("ph.work.beta.gen") != std::string::npos);
    const auto tap = observer.may_declare(Queue{.name = "ph.observer.ui-1"});
    REQUIRE(!tap.has_value());
    CHECK(tap.error().detail.find("exclusive") != std::string::npos);
}
