#include "cli/components.hpp"

#include "bees/echo/echo.hpp"
#include "bees/generator/generator.hpp"
#include "bees/http_builder/http_builder.hpp"
#include "bees/moderator/moderator.hpp"
#include "bees/postprocessor/postprocessor.hpp"
#include "bees/processor/processor.hpp"
#include "bees/trigger/trigger.hpp"
#include "controller/marshal.hpp"
#include "kernel/encoding.hpp"
#include "kernel/entropy.hpp"
#include "kernel/random.hpp"
#include "wire/scope.hpp"
#include "worker/bee.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace hive::cli {
namespace {

using runtime::inproc::Inhabitant;
using runtime::inproc::TellExit;

constexpr Duration goodbye = std::chrono::seconds{2};

// What a component says before it goes must reach the broker.
template <class Kind>
class Housed final : public Inhabitant {
public:
    Housed(std::unique_ptr<bus::Connection> connection, std::unique_ptr<Kind> inhabitant)
        : connection_{std::move(connection)}, inhabitant_{std::move(inhabitant)} {}
    ~Housed() override {
        inhabitant_.reset();
        // A broker that is away must not keep a component from ending.
        (void)connection_->close(goodbye);
    }
    void stop(std::function<void()> gone) override { inhabitant_->stop(std::move(gone)); }

private:
    std::unique_ptr<bus::Connection> connection_;
    std::unique_ptr<Kind> inhabitant_;
};

Result<std::unique_ptr<Inhabitant>>
make_marshal(const ComponentParts& parts, runtime::Runtime& runtime, const worker::Identity& self) {
    auto connection =
        parts.connect(bus::Grants::controller(self.swarm, self.instance), self.instance.text());
    if (!connection) return fail(connection.error());
    auto& bus = **connection;
    return std::make_unique<Housed<controller::Marshal>>(
        *std::move(connection), std::make_unique<controller::Marshal>(
                                    controller::MarshalOptions{
                                        .swarm = self.swarm,
                                        .instance = self.instance,
                                        .life = new_life(self.instance),
                                        .settings = parts.config.marshal,
                                        .bee_environment = parts.inherited},
                                    controller::MarshalParts{
                                        bus, runtime, parts.loop, parts.clock,
                                        parts.log.for_area("controller"), parts.metrics}));
}

Result<std::unique_ptr<Inhabitant>>
make_bee(const ComponentParts& parts, worker::Setup setup, const TellExit& tell) {
    const auto kinds = every_kind_of_bee(parts.config);
    const auto kind = std::ranges::find(kinds, setup.self.role.text(), &worker::BeeKind::role);
    if (kind == kinds.end()) {
        std::vector<std::string_view> known;
        for (const auto& one : kinds) known.push_back(one.role);
        return fail(
            Errc::not_found, fmt::format(
                                 "there is no bee for the role '{}'; known: {}",
                                 setup.self.role.text(), fmt::join(known, ", ")));
    }
    const worker::Identity& self = setup.self;
    auto connection = parts.connect(
        bus::Grants::worker(self.swarm, self.role, self.instance), self.instance.text());
    if (!connection) return fail(connection.error());
    auto& bus = **connection;
    auto bee = worker::Bee::start(
        {.setup = std::move(setup),
         .control = parts.config.bee,
         .entropy = Random::from_entropy()()},
        *kind,
        {bus, parts.loop, parts.clock, parts.log.for_area("bee"),
         [tell](const std::string& why) { tell(true, why); }, parts.metrics});
    if (!bee) return fail(bee.error());
    return std::make_unique<Housed<worker::Bee>>(*std::move(connection), *std::move(bee));
}

} // namespace

std::string new_life(const InstanceId& instance) {
    std::array<std::uint8_t, 6> bytes{};
    fill_from_entropy(bytes);
    return fmt::format("{}.{}", instance.text(), to_hex(bytes));
}

std::vector<worker::BeeKind> every_kind_of_bee(const ComponentConfig& config) {
    return {
        bees::echo(),
        bees::generator(),
        bees::generator("data-provider"),
        bees::http_builder(),
        bees::http_builder("request-builder"),
        bees::moderator(),
        bees::postprocessor(),
        bees::processor(),
        bees::trigger(config.allow_shell)};
}

Result<std::unique_ptr<Inhabitant>> make_component(
    const ComponentParts& parts, runtime::Runtime& runtime, const runtime::Component& component,
    const TellExit& tell) {
    if (wire::is_controller(component.name.role)) {
        auto self = worker::read_identity(component.environment);
        if (!self) return fail(self.error());
        return make_marshal(parts, runtime, *self);
    }
    auto setup = worker::read_setup(component.environment);
    if (!setup) return fail(setup.error());
    return make_bee(parts, *std::move(setup), tell);
}

} // namespace hive::cli
