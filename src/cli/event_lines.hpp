#pragma once

#include "cli/host.hpp"
#include "cli/server_client.hpp"
#include "cli/signals.hpp"
#include "kernel/json.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace hive::cli {

// Server-sent events out of bytes that come in any pieces.
class EventLines {
public:
    using Handler = std::function<void(const json::object& event)>;
    explicit EventLines(Handler handler) : handler_{std::move(handler)} {}

    void take(std::string_view bytes);
    std::uint64_t last() const noexcept { return last_; } // the number of the last event

private:
    void take_line(std::string_view line);

    Handler handler_;
    std::string rest_;
    std::string data_;
    std::uint64_t last_ = 0;
};

// Who listens to what.
struct Following {
    Host& host;
    ServerClient& server;
    const SignalWait& signals; // kept from all threads since before the server was reached
};

// Calls `handler` with every event of the topics, until the output is closed; an interrupt ends the
// program between two lines. A server that goes away is waited for, and asked for what was missed.
int follow_events(
    const Following& following, const std::string& topics, const EventLines::Handler& handler);

} // namespace hive::cli
