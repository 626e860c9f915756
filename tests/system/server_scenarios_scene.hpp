#pragma once

#include "api/rest/scenario_change.hpp"
#include "api/rest/scenario_routes.hpp"
#include "tests/system/server_swarms_scene.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

namespace hive::test {

inline const std::string sound_scenario = "id: hello\nname: Hello\nbees:\n"
                                          "  - role: echo\n"
                                          "    work: { in: { in: raw }, out: { out: raw } }\n"
                                          "    config: { baseUrl: \"http://a\" }\n";

// A hive with scenarios and a scripted orchestrator; one kind of bee that takes any setting.
class Scenarios {
public:
    Scenarios()
        : shelf{scenario::Shelf::open(
                    folder.path().string(),
                    {{"echo",
                      {.fields =
                           {{.path = "inputs.type", .type = "text", .choices = {"SCHEDULER"}},
                            {.path = "inputs.scheduler.ratePerSec", .type = "number"}}}}})
                    .value()},
          hive{
              {.more =
                   {rest::swarm_routes({court, taps, book, rest::orders_from(*shelf)}),
                    rest::scenario_routes({*shelf, render})},
               .snapshots = {rest::scenario_snapshot(*shelf)},
               .offer = [this](rest::HiveParts& parts) {
                   rest::add_scenario_schemas(parts.schemas);
                   parts.chores.push_back(rest::scenario_watch(*shelf));
               }}} {}

    struct Ask {
        std::string method = "GET";
        std::string path{}; // after /api/v1
        std::string body{};
        std::string headers{}; // lines
        std::string type = "application/json";
    };
    Answer send(const Ask& ask) {
        Client client = hive.connect();
        client.send(fmt::format(
            "{} /api/v1{} HTTP/1.1\r\nHost: hive\r\n{}{}{}Content-Length: {}\r\n\r\n{}", ask.method,
            ask.path, admin(), ask.headers,
            ask.body.empty() ? "" : fmt::format("Content-Type: {}\r\n", ask.type), ask.body.size(),
            ask.body));
        auto answer = client.receive();
        REQUIRE(answer);
        return std::move(*answer);
    }
    Answer get(const std::string& path) { return send({.path = path}); }

    static std::string if_match(const Answer& seen) {
        return fmt::format("If-Match: {}\r\n", seen.headers.at("etag"));
    }
    static std::string files_body(const std::string& text, const std::string& id = "") {
        json::object body{{"files", {{"scenario.yaml", text}}}};
        if (!id.empty()) body["id"] = id;
        return to_text(body);
    }
    Answer create(const std::string& id, const std::string& text = sound_scenario) {
        return send({.method = "POST", .path = "/scenarios", .body = files_body(text, id)});
    }
    // As an editor would, beside the server.
    void edit(const std::string& path, std::string_view text) const {
        const std::filesystem::path whole = folder.path() / path;
        std::filesystem::create_directories(whole.parent_path());
        std::ofstream{whole} << text;
    }
    const std::string& admin() {
        if (admin_.empty()) admin_ = hive.key_for(accounts::Role::admin);
        return admin_;
    }

    SystemClock clock;
    hive::tests::ScratchDirectory folder;
    rest::RenderSample render = [](const scenario::Compiled& compiled,
                                   const scenario::Sample& sample) -> Result<std::string> {
        if (sample.bee.empty()) return fail(Errc::invalid, "there is no such bee");
        return fmt::format("{} {} {}", compiled.id, sample.bee, sample.payload);
    };
    std::unique_ptr<scenario::Shelf> shelf;
    ScriptedCourt court;
    bus::memory::Hub broker{clock};
    std::unique_ptr<bus::Connection> bus =
        broker.connect(bus::Grants::orchestrator(InstanceId::parse("queen").value()));
    rest::TapDesk taps{*bus, clock};
    rest::RunBook book{clock, "orchestrator:queen", [](const auto&) {}};
    HiveUnderTest hive;

private:
    std::string admin_;
};

} // namespace hive::test
