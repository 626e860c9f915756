#pragma once

#include "api/colony/workplace.hpp"
#include "api/rest/command_desk.hpp"
#include "api/rest/command_gate.hpp"

#include <memory>

namespace hive::rest {

// The rules of the colony, asked about swarm commands. What waits is kept with its request; the
// SwarmCourier brings it to the orchestrator once it is approved.
class SwarmGate final : public CommandGate {
public:
    explicit SwarmGate(ColonyParts& colony) : colony_{&colony} {} // outlives it

    asio::awaitable<std::optional<http::Response>>
    ask(SessionParts server, api::Call call, std::shared_ptr<const Order> order) override;

private:
    ColonyParts* colony_;
};

} // namespace hive::rest
