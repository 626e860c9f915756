#pragma once

#include "kernel/json.hpp"
#include "telemetry/summary_json.hpp"
#include "tests/system/cli_process.hpp"
#include "tests/system/mock_scene.hpp"

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace hive::test {

// A mock, and the program that is run against it.
struct RunScene {
    explicit RunScene(mock::Settings settings = {}) : mock{std::move(settings)} {}

    std::string url(std::string_view path = "/") const {
        return fmt::format("http://127.0.0.1:{}{}", *mock.server->http_port(), path);
    }
    tests::Outcome run(std::vector<std::string> args) const {
        args.insert(args.begin(), "run");
        return tests::run_hive(std::move(args));
    }
    // With `--json`.
    static telemetry::Summary summary_of(const tests::Outcome& outcome) {
        const auto document = parse_json(outcome.out);
        REQUIRE_MESSAGE(document.has_value(), outcome.out, outcome.err);
        auto summary = telemetry::summary_from_json(*document);
        REQUIRE_MESSAGE(summary.has_value(), summary.error().detail);
        return *std::move(summary);
    }
    static std::string text_of(const std::string& path) {
        std::ifstream file{path};
        return {std::istreambuf_iterator<char>{file}, {}};
    }

    tests::ScratchDirectory files{};
    RunningMock mock;
};

} // namespace hive::test
