#include "cli/swarm_meters.hpp"

#include <doctest/doctest.h>
#include <unistd.h>

#include <ctime>

using namespace hive;
using namespace hive::cli;
using namespace std::chrono_literals;

namespace {

const SwarmId alpha = SwarmId::parse("alpha").value();
const SwarmId beta = SwarmId::parse("beta").value();

// Says that these processes are components of alpha.
class SomeProcesses final : public runtime::Runtime {
public:
    explicit SomeProcesses(std::vector<int> pids) : pids_{std::move(pids)} {}

    void launch(runtime::Component, Done done) override { done({}); }
    void stop(const runtime::Name&, Duration, Done done) override { done({}); }
    void stop_all(const SwarmId&, runtime::Which, Duration, Done done) override { done({}); }
    Result<std::vector<runtime::Running>> running() override {
        std::vector<runtime::Running> all;
        const auto role = Role::parse("echo").value();
        const auto instance = InstanceId::parse("alpha-echo-1").value();
        for (const int pid : pids_) {
            all.push_back({.name = {alpha, role, instance}, .pid = pid});
        }
        return all;
    }
    Subscription watch(ExitListener) override { return Subscription{}; }

private:
    std::vector<int> pids_;
};

} // namespace

TEST_CASE("the CPU time of processes is what the kernel says, also after they have gone") {
    // A few ticks of the kernel's clock.
    while (std::clock() < CLOCKS_PER_SEC / 20) {
    }
    SwarmMeters meters;
    SomeProcesses running{{::getpid(), 1 << 30}}; // the second one is not there
    meters.look_at(running);
    SomeProcesses gone{{}};
    meters.look_at(gone);
    CHECK(meters.take(beta) == Duration::zero());
    CHECK(meters.take(alpha) >= 20ms);
    CHECK(meters.take(alpha) == Duration::zero()); // it begins again from nothing
}

TEST_CASE("components in this process have one meter a swarm, until it is taken") {
    SwarmMeters meters;
    const auto meter = meters.meter_of(alpha);
    CHECK(meters.meter_of(alpha) == meter);
    CHECK(meters.meter_of(beta) != meter);
    meter->add(3s);
    CHECK(meters.take(alpha) == 3s);
    CHECK(meters.meter_of(alpha) != meter);
}
