#pragma once

#include "kernel/config.hpp"
#include "telemetry/threshold.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hive::cli {

struct RunOptions {
    std::string what{}; // a scenario or a URL
    std::optional<Duration> duration{};
    std::string rate{};
    std::optional<std::uint32_t> connections{};
    std::string method{};
    std::vector<std::string> headers{};
    std::string body{};
    Duration timeout = std::chrono::seconds{30};
    Duration drain = std::chrono::seconds{10};
    std::vector<std::string> thresholds{};
    std::optional<Url> broker{};
    std::string server{}; // URL or profile; empty: here
    std::string swarm{};
    std::string sut{};
    std::string profile{};
    std::vector<std::string> endpoints{};
    std::vector<std::string> set{};
    std::optional<FilePath> summary{};
    std::optional<FilePath> report{};
    std::optional<FilePath> junit{};
    bool find_max = false;
    double from = 100; // of a search for the highest rate, per second
    double to = 1'000'000;
    Duration step_duration = std::chrono::seconds{5};
    bool buffer_guards = true;
    bool quiet = false;
    bool json = false;
};
void declare_run_options(OptionTable& table, RunOptions& options);

// Every one that cannot be read is in the error.
Result<std::vector<telemetry::Threshold>> thresholds_of(const std::vector<std::string>& texts);

// `5000`, `5000/s`, or nothing for `max`.
Result<std::optional<double>> rate_of(const std::string& text);

} // namespace hive::cli
