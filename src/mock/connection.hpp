#pragma once

#include "mock/answer.hpp"
#include "mock/framing.hpp"
#include "mock/socket_shell.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace hive::mock {

// One request or message on its way to an answer.
struct Job {
    enum class Control : std::uint8_t { none, stats, reset, arrivals, unknown };
    Endpoint* endpoint = nullptr;
    Endpoint::Asked asked{};
    Control control = Control::none;
    TimePoint arrived{};
    std::string payload{}; // of a message
    std::string method{};  // only when requests are logged
    std::string target{};
};

// One client; one job at a time, whatever it sends ahead waits in `in`.
struct Connection {
    Socket socket{};
    std::uint32_t slot = 0;
    std::uint32_t generation = 0;     // of its slot: tells it from the one before
    std::optional<Framing> framing{}; // none: HTTP
    std::string in{};
    std::string out{};           // could not be sent yet
    std::uint64_t body_left = 0; // of a request, to be read and thrown away
    std::uint64_t drained = 0;
    std::uint32_t events = 0; // what epoll watches
    bool watched = false;
    bool serving = false;
    bool ended = false;    // the client sends no more
    bool closing = false;  // once `out` is sent
    bool draining = false; // answered for the last time; what still comes is thrown away
    Job job{};
};

} // namespace hive::mock
