#pragma once

#include "run/sight.hpp"
#include "telemetry/histogram.hpp"
#include "telemetry/histogram_text.hpp"

#include <chrono>
#include <cstdint>

namespace hive::tests {

// A swarm of two bees, as far as a run looks at it.
struct SeenSwarm {
    static constexpr TimePoint start{std::chrono::seconds{100}};

    std::uint64_t sent = 0;
    std::uint64_t failed = 0;
    std::uint64_t depth = 0;
    std::uint64_t pending = 0;
    bool out_of_data = false;
    telemetry::Histogram latency{};

    run::Sight at(Duration since) const {
        run::BeeSight generator{
            .role = "generator",
            .instance = "run-generator-1",
            .enabled = true,
            .flow = {
                .input = out_of_data ? wire::InputState::out_of_data : wire::InputState::ok,
                .output = wire::OutputState::ok}};
        generator.work = {
            {"processed", sent},
            {"scheduler", json::object{{"sent", sent}, {"ratePerSec", 100}, {"maxLagUs", 250}}}};
        run::BeeSight post{
            .role = "postprocessor", .instance = "run-postprocessor-1", .enabled = true};
        post.work = {
            {"processed", latency.count()},
            {"transactions", latency.count()},
            {"failed", failed},
            {"byStatus", json::object{{"200", latency.count() - failed}, {"timeout", failed}}},
            {"histograms", json::object{{"latency", telemetry::to_text(latency)}}}};
        if (pending > 0) post.work["pending"] = pending;
        return {.at = start + since, .bees = {generator, post}, .depths = {{"calls", depth}}};
    }
};

} // namespace hive::tests
