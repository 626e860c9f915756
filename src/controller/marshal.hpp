#pragma once

#include "bus/connection.hpp"
#include "control/mailbox.hpp"
#include "controller/decide.hpp"
#include "controller/guard_figures.hpp"
#include "kernel/log.hpp"
#include "loop/strand.hpp"
#include "runtime/runtime.hpp"
#include "telemetry/metrics_board.hpp"

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace hive::controller {

struct MarshalOptions {
    SwarmId swarm;
    InstanceId instance;
    std::string life; // unique to this start
    Settings settings{};
    Duration tick = std::chrono::seconds{1};
    // What a bee is told at its start besides who it is, such as where the broker is.
    std::map<std::string, std::string> bee_environment{};
};

struct MarshalParts { // all outlive it
    bus::Connection& bus;
    runtime::Runtime& runtime;
    loop::Loop& loop;
    const Clock& clock;
    Logger log;
    telemetry::MetricsBoard* metrics = nullptr; // none: nobody in this process reads it
};

// The controller as it lives: carries out what its decisions say, one after another.
class Marshal {
public:
    Marshal(MarshalOptions options, MarshalParts parts);
    ~Marshal(); // at once; its bees live on
    Marshal(const Marshal&) = delete;
    Marshal& operator=(const Marshal&) = delete;

    void stop(std::function<void()> stopped); // `stopped` comes on its strand

private:
    void on(const Event& event);
    void perform(const Command& command);
    void wake_at(TimePoint when);
    void note_figures();
    void declare();
    void launch(const BeeSpec& bee);
    void remove(const BrokerObjects& objects);
    void inspect(const std::vector<std::string>& queues);
    void sample(const std::vector<std::string>& queues);
    void tell_exit(const runtime::Exit& exit);
    runtime::Name name_of_bee(const InstanceId& instance) const;
    template <class Then>
    runtime::Runtime::Done then(Then next);

    MarshalOptions options_;
    MarshalParts parts_;
    State state_;
    loop::Strand strand_;
    control::Mailbox mailbox_;
    Subscription exits_;

    // Bees are launched once their queues exist.
    std::optional<bus::Layout> undeclared_{};
    std::vector<BeeSpec> waiting_{};
    // What the page of metrics shows, copied for whoever reads it.
    std::mutex figures_guard_{};
    std::vector<GuardFigures> figures_{};
    Subscription page_{};
    TimePoint alarm_{}; // the next that is set; in the past: none
};

} // namespace hive::controller
