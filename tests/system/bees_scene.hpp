#pragma once

#include "tests/system/swarm_scene.hpp"
#include "tests/system/web_server.hpp"

#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace hive::tests {

inline void write_file(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream{path} << text;
}

inline json::object scenario(const std::string& text) {
    auto read = parse_json(text);
    REQUIRE_MESSAGE(read, (read ? "" : read.error().detail));
    return std::move(read->as_object());
}

inline void run(SwarmScene& scene, const std::string& id, const std::string& text) {
    const auto created = scene.create(id, scenario(text));
    REQUIRE_MESSAGE(created.status == wire::OutcomeStatus::ready, created.reason);
    const auto started = scene.wish(id, orchestrator::Wish::running);
    REQUIRE_MESSAGE(started.status == wire::OutcomeStatus::running, started.reason);
}

struct Sent {
    std::string payload{};
    std::string service{}; // empty: no header
    std::string call{};
};

inline void send(SwarmScene& scene, const std::string& queue, const Sent& what) {
    wire::WorkItem item{
        .steps = {{.payload = what.payload, .by = {"test", "test"}}}, .trace_id = what.payload};
    if (!what.service.empty()) item.headers.set("x-ph-service-id", what.service);
    if (!what.call.empty()) item.headers.set("x-ph-call-id", what.call);
    auto sender = scene.outside().work().open_sender({}).value();
    std::array items{std::move(item)};
    REQUIRE(sender->send({"", queue}, items, std::chrono::seconds{5}).value() == 1);
    REQUIRE(sender->flush(std::chrono::seconds{10}));
}

} // namespace hive::tests
