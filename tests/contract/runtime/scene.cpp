#include "tests/contract/runtime/scene.hpp"

#include <doctest/doctest.h>

#include <algorithm>

namespace hive::contract {

runtime::Name named(std::string_view role, std::string_view instance, std::string_view swarm) {
    return {*SwarmId::parse(swarm), *Role::parse(role), *InstanceId::parse(instance)};
}

runtime::Runtime::Done Awaited::done() {
    return [heard = heard_](Status status) {
        const std::lock_guard lock{heard->mutex};
        ++heard->count;
        heard->status = std::move(status);
    };
}

bool Awaited::is_there() const {
    return count() > 0;
}

int Awaited::count() const {
    const std::lock_guard lock{heard_->mutex};
    return heard_->count;
}

Status Awaited::get() const {
    if (!eventually([this] { return is_there(); })) return fail(Errc::timeout, "no answer");
    const std::lock_guard lock{heard_->mutex};
    return heard_->status;
}

Exits::Exits(runtime::Runtime& runtime)
    : subscription_{runtime.watch([this](const runtime::Exit& exit) {
          const std::lock_guard lock{mutex_};
          exits_.push_back(exit);
      })} {}

std::vector<runtime::Exit> Exits::all() const {
    const std::lock_guard lock{mutex_};
    return exits_;
}

std::vector<runtime::Exit> Exits::wait_for(std::size_t count) const {
    CHECK(eventually([&] { return all().size() >= count; }));
    return all();
}

Scene::Scene()
    : place_{make_place()}, runtime_{place_->open()}, exits_{std::make_unique<Exits>(*runtime_)} {}

Scene::~Scene() {
    if (!runtime_) runtime_ = place_->open();
    for (const char* swarm : {"s", "other"}) {
        Awaited ended;
        runtime_->stop_all(
            *SwarmId::parse(swarm), runtime::Which::everything, Duration::zero(), ended.done());
        CHECK(ended.get().has_value());
    }
    exits_.reset();
}

void Scene::close_runtime() {
    exits_.reset();
    runtime_.reset();
}

Status Scene::launch(const runtime::Name& name) {
    Awaited launched;
    runtime_->launch({.name = name}, launched.done());
    return launched.get();
}

runtime::Name Scene::launch_settled(std::string_view role, std::string_view instance) {
    const auto name = named(role, instance);
    const auto launched = launch(name);
    REQUIRE_MESSAGE(launched.has_value(), launched.error().detail);
    REQUIRE(eventually([&] { return place_->is_settled(name); }));
    return name;
}

Status Scene::stop(const runtime::Name& name, Duration grace) {
    Awaited stopped;
    runtime_->stop(name, grace, stopped.done());
    return stopped.get();
}

Status Scene::stop_all(runtime::Which which, Duration grace) {
    Awaited stopped;
    runtime_->stop_all(*SwarmId::parse("s"), which, grace, stopped.done());
    return stopped.get();
}

bool Scene::runs(const runtime::Name& name) {
    const auto all = runtime_->running();
    REQUIRE(all.has_value());
    return std::ranges::find(*all, name, &runtime::Running::name) != all->end();
}

std::size_t Scene::running() {
    const auto all = runtime_->running();
    REQUIRE(all.has_value());
    return all->size();
}

} // namespace hive::contract
