#pragma once

#include "api/http/application.hpp"
#include "api/http/limits.hpp"
#include "api/http/traffic.hpp"

#include <boost/asio/io_context.hpp>

#include <atomic>
#include <chrono>
#include <string>

namespace hive::http {

using SteadyTime = std::chrono::steady_clock::time_point;

// What the connections of one thread share. Only `handshakes` and `traffic` are seen by others.
struct Host {
    const Limits& limits;
    Application& application;
    Traffic& traffic;
    std::atomic<std::size_t>& handshakes; // under way, over all threads
    asio::io_context& io;
    std::string date{}; // HTTP-date of the current second
    bool stopping = false;
};

} // namespace hive::http
