#include "loop/cpu_meter.hpp"
#include "loop/loop.hpp"
#include "loop/strand.hpp"

#include <doctest/doctest.h>

#include <ctime>
#include <future>

using namespace hive;
using namespace hive::loop;
using namespace std::chrono_literals;

namespace {

// Until this thread has used so much CPU time, however long that takes.
void burn(std::chrono::milliseconds time) {
    const auto used = [] {
        timespec spent{};
        ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
        return std::chrono::seconds{spent.tv_sec} + std::chrono::nanoseconds{spent.tv_nsec};
    };
    for (const auto end = used() + time; used() < end;) {
    }
}

} // namespace

TEST_CASE("CPU time goes to whom the thread works for, once, and waiting costs nothing") {
    const auto meter = std::make_shared<CpuMeter>();
    burn(5ms); // for nobody
    {
        const WorkingFor work{meter};
        burn(50ms);
        const WorkingFor again{meter}; // is counted already
        burn(50ms);
    }
    CHECK(meter->spent() >= 100ms);
    CHECK(meter->spent() < 150ms);
    CHECK(WorkingFor::now() == nullptr);
    const WorkingFor nobody{nullptr};
    CHECK(WorkingFor::now() == nullptr);
}

TEST_CASE("a strand works for whom it was made, on whichever thread its tasks run") {
    Loop loop{2};
    const auto meter = std::make_shared<CpuMeter>();
    const auto other = std::make_shared<CpuMeter>();
    const auto strand_of = [&](const CpuMeterPtr& owner) {
        const WorkingFor work{owner};
        return std::make_unique<Strand>(loop);
    };
    const auto mine = strand_of(meter);
    const auto theirs = strand_of(other);
    std::promise<bool> inherited;
    for (int i = 0; i < 4; ++i) mine->post([] { burn(5ms); });
    theirs->post([] { burn(5ms); });
    mine->post([&] { inherited.set_value(WorkingFor::now() == meter); });
    CHECK(inherited.get_future().get());
    mine->close();
    theirs->close();
    CHECK(meter->spent() >= 20ms);
    CHECK(other->spent() < 20ms);
}
