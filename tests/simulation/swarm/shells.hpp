#pragma once

#include "controller/decide.hpp"
#include "orchestrator/decide.hpp"
#include "tests/simulation/swarm/hive.hpp"
#include "tests/simulation/swarm/mailbox.hpp"
#include "worker/control.hpp"

#include <deque>

namespace hive::simulation::swarm {

// The shells of the three parts: they carry what their cores decide, and nothing else.
class Bee final : public Component {
public:
    Bee(Host& host, Hive& hive, worker::Identity self);
    ~Bee() override;

private:
    void on(const worker::ControlEvent& event);
    void tick();

    Host& host_;
    Hive& hive_;
    worker::ControlState state_;
    Mailbox mailbox_;
};

class Marshal final : public Component {
public:
    Marshal(Host& host, Hive& hive, const SwarmId& swarm, const InstanceId& instance);
    ~Marshal() override;
    void on(const controller::Event& event);

private:
    void launch(const controller::BeeSpec& bee);
    void perform(const controller::Command& command);
    void declare(const bus::Layout& layout);
    void remove(const controller::BrokerObjects& objects);
    void judge_gate(const std::vector<controller::Command>& commands) const;
    void tick();

    Host& host_;
    Hive& hive_;
    controller::State state_;
    controller::Phase phase_ = controller::Phase::empty; // that the hive knows of
    Mailbox mailbox_;
};

class Queen final : public Component {
public:
    Queen(Host& host, Hive& hive);
    ~Queen() override;
    void on(const orchestrator::Event& event);

private:
    void perform(const orchestrator::Command& command);
    bool keep(const std::vector<orchestrator::Command>& commands);
    void remove(const orchestrator::RemoveObjects& objects);
    void later(orchestrator::Event event);
    void tick();

    Host& host_;
    Hive& hive_;
    orchestrator::State state_;
    Mailbox mailbox_;
};

} // namespace hive::simulation::swarm
