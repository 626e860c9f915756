#pragma once

#include "tests/contract/runtime/place.hpp"

#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace hive::contract {

using namespace std::chrono_literals;

// No wait of the suite is longer, and only a failing test waits that long.
inline constexpr Duration patience = 30s;
// How long a test watches for something that must not happen.
inline constexpr Duration moment = 100ms;
inline constexpr Duration long_grace = 60s;

template <class Condition>
bool eventually(const Condition& condition) {
    const auto deadline = std::chrono::steady_clock::now() + patience;
    while (!condition()) {
        if (std::chrono::steady_clock::now() >= deadline) return false;
        std::this_thread::sleep_for(2ms);
    }
    return true;
}

runtime::Name named(std::string_view role, std::string_view instance, std::string_view swarm = "s");

// The answer of a call, once it is there.
class Awaited {
public:
    runtime::Runtime::Done done();
    bool is_there() const;
    Status get() const; // Errc::timeout when it does not come
    int count() const;  // how often it was told

private:
    struct Heard {
        std::mutex mutex{};
        int count = 0;
        Status status{};
    };
    std::shared_ptr<Heard> heard_ = std::make_shared<Heard>();
};

// Collects exits for as long as it lives.
class Exits {
public:
    explicit Exits(runtime::Runtime& runtime);
    std::vector<runtime::Exit> all() const;
    std::vector<runtime::Exit> wait_for(std::size_t count) const;

private:
    mutable std::mutex mutex_{};
    std::vector<runtime::Exit> exits_{};
    Subscription subscription_;
};

// A place with one runtime. What still runs in the swarms "s" and "other" ends with it.
class Scene {
public:
    Scene();
    ~Scene();
    Scene(const Scene&) = delete;
    Scene& operator=(const Scene&) = delete;

    Place& place() { return *place_; }
    runtime::Runtime& runtime() { return *runtime_; }
    Exits& exits() { return *exits_; }
    void close_runtime();

    Status launch(const runtime::Name& name);
    runtime::Name launch_settled(std::string_view role, std::string_view instance); // must succeed
    Status stop(const runtime::Name& name, Duration grace = long_grace);
    Status stop_all(runtime::Which which, Duration grace = long_grace);
    bool runs(const runtime::Name& name);
    std::size_t running(); // how many

private:
    std::unique_ptr<Place> place_;
    std::unique_ptr<runtime::Runtime> runtime_;
    std::unique_ptr<Exits> exits_;
};

} // namespace hive::contract
