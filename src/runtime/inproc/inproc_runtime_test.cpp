#include "runtime/inproc/inproc_runtime.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <condition_variable>
#include <filesystem>
#include <future>
#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

using namespace hive;
using namespace hive::runtime;
using namespace hive::runtime::inproc;
using namespace std::chrono_literals;

namespace {

Component component(const std::string& instance, const char* role = "bee") {
    return {.name = {*SwarmId::parse("s"), *Role::parse(role), *InstanceId::parse(instance)}};
}

// An answer that is waited for.
class Asked {
public:
    Runtime::Done done() {
        return [promise = promise_](Status status) { promise->set_value(std::move(status)); };
    }
    Status get() {
        auto answer = promise_->get_future();
        if (answer.wait_for(30s) != std::future_status::ready) {
            return fail(Errc::timeout, "no answer");
        }
        return answer.get();
    }

private:
    std::shared_ptr<std::promise<Status>> promise_ = std::make_shared<std::promise<Status>>();
};

Status launch(Runtime& runtime, Component component) {
    Asked asked;
    runtime.launch(std::move(component), asked.done());
    return asked.get();
}

class Counted final : public Inhabitant {
public:
    explicit Counted(std::atomic<int>& living) : living_{living} { ++living_; }
    ~Counted() override { --living_; }
    void stop(std::function<void()> gone) override { gone(); }

private:
    std::atomic<int>& living_;
};

std::size_t thread_count() {
    std::size_t count = 0;
    for (const auto& entry : std::filesystem::directory_iterator{"/proc/self/task"}) {
        count += entry.is_directory() ? 1 : 0;
    }
    return count;
}

const SystemClock system_clock;

} // namespace

TEST_CASE("five thousand components need no thread of their own, and end with the runtime") {
    std::atomic<int> living{0};
    auto runtime = make_runtime(
        [&](const Component&, const TellExit&) { return std::make_unique<Counted>(living); },
        system_clock);
    const std::size_t threads = thread_count();
    for (int i = 0; i < 5000; ++i) {
        runtime->launch(component("bee-" + std::to_string(i)), nullptr);
    }
    REQUIRE(launch(*runtime, component("last")).has_value());
    CHECK(living == 5001);
    CHECK(runtime->running()->size() == 5001);
    CHECK(thread_count() == threads);
    runtime.reset();
    CHECK(living == 0);
}

TEST_CASE("what a factory throws is the reason of a refused launch") {
    const auto runtime = make_runtime(
        [](const Component&, const TellExit&) -> Result<std::unique_ptr<Inhabitant>> {
            throw std::runtime_error("no broker");
        },
        system_clock);
    const auto refused = launch(*runtime, component("bee"));
    REQUIRE(!refused.has_value());
    CHECK(refused.error().detail == "bee cannot be launched: no broker");
    CHECK(runtime->running()->empty());
}

TEST_CASE("a factory that makes nothing refuses") {
    const auto runtime = make_runtime(
        [](const Component&, const TellExit&) { return std::unique_ptr<Inhabitant>{}; },
        system_clock);
    CHECK(!launch(*runtime, component("bee")).has_value());
}

TEST_CASE("a component that tells of its end is not destroyed while it tells") {
    std::recursive_mutex mutex; // so that one destroyed on our stack is a failure and no deadlock
    std::condition_variable_any changed;
    bool telling = false;
    bool destroyed_while_telling = false;
    bool destroyed = false;
    // Its destructor does not wait for who calls: it would notice.
    class Teller final : public Inhabitant {
    public:
        explicit Teller(std::function<void()> on_end) : on_end_{std::move(on_end)} {}
        ~Teller() override { on_end_(); }
        void stop(std::function<void()> gone) override { gone(); }

    private:
        std::function<void()> on_end_;
    };
    TellExit tell;
    const auto runtime = make_runtime(
        [&](const Component&, TellExit given) {
            tell = std::move(given);
            return std::make_unique<Teller>([&] {
                const std::lock_guard lock{mutex};
                destroyed_while_telling = telling;
                destroyed = true;
                changed.notify_all();
            });
        },
        system_clock);
    const auto subscription = runtime->watch([&](const Exit&) {
        const std::lock_guard lock{mutex};
        CHECK(destroyed); // who is told may launch it anew
    });
    REQUIRE(launch(*runtime, component("bee")).has_value());
    {
        std::unique_lock lock{mutex};
        telling = true;
        tell(true, "over"); // returns while the lock keeps the destructor from running
        telling = false;
        CHECK(changed.wait_for(lock, 30s, [&] { return destroyed; }));
        CHECK(!destroyed_while_telling);
    }
}

TEST_CASE("a component may tell of its end after its runtime, and nobody hears it") {
    TellExit tell;
    std::atomic<int> living{0};
    auto runtime = make_runtime(
        [&](const Component&, TellExit given) {
            tell = std::move(given);
            return std::make_unique<Counted>(living);
        },
        system_clock);
    REQUIRE(launch(*runtime, component("bee")).has_value());
    runtime.reset();
    tell(true, "too late");
    CHECK(living == 0);
}

TEST_CASE("what a component told of an earlier life does not end the next one") {
    std::vector<TellExit> tells;
    std::atomic<int> living{0};
    const auto runtime = make_runtime(
        [&](const Component&, TellExit given) {
            tells.push_back(std::move(given));
            return std::make_unique<Counted>(living);
        },
        system_clock);
    REQUIRE(launch(*runtime, component("bee")).has_value());
    Asked stopped;
    runtime->stop(component("bee").name, 1min, stopped.done());
    REQUIRE(stopped.get().has_value());
    REQUIRE(launch(*runtime, component("bee")).has_value());
    tells.front()(true, "an old story");
    REQUIRE(launch(*runtime, component("other")).has_value()); // comes after it
    CHECK(living == 2);
}

TEST_CASE("a controller ends before its bees when everything of a swarm is stopped") {
    std::mutex mutex;
    std::vector<std::string> order;
    class Ordered final : public Inhabitant {
    public:
        explicit Ordered(std::function<void()> on_stop) : on_stop_{std::move(on_stop)} {}
        void stop(std::function<void()> gone) override {
            on_stop_();
            gone();
        }

    private:
        std::function<void()> on_stop_;
    };
    const auto runtime = make_runtime(
        [&](const Component& made, const TellExit&) {
            return std::make_unique<Ordered>([&, instance = made.name.instance.text()] {
                const std::lock_guard lock{mutex};
                order.push_back(instance);
            });
        },
        system_clock);
    REQUIRE(launch(*runtime, component("a-bee")).has_value());
    REQUIRE(launch(*runtime, component("marshal", "swarm-controller")).has_value());
    REQUIRE(launch(*runtime, component("z-bee")).has_value());
    Asked stopped;
    runtime->stop_all(*SwarmId::parse("s"), Which::everything, 1min, stopped.done());
    REQUIRE(stopped.get().has_value());
    CHECK(order == std::vector<std::string>{"marshal", "a-bee", "z-bee"});
}
