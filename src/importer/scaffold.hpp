#pragma once

#include "importer/draft.hpp"
#include "kernel/clock.hpp"
#include "kernel/result.hpp"

#include <span>
#include <string>
#include <string_view>

namespace hive::importer {

struct ScaffoldWish {
    std::string id{};
    std::string kind = "http";
    std::string url{}; // empty: a mock on this machine
    std::string method = "GET";
    double rate_per_sec = 50;
    Duration length = std::chrono::seconds{10};
};

std::span<const std::string_view> scaffold_kinds(); // http, tcp, csv, guard
std::string_view usual_url(std::string_view kind);  // where `usual_mock` listens
std::string_view usual_mock(std::string_view kind); // a command, for whoever has nothing to call

// The files of a commented bundle to begin with. Errc::invalid with what to write instead.
Result<Files> scaffold(const ScaffoldWish& wish);

} // namespace hive::importer
