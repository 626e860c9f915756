#pragma once

#include "api/rest/command_gate.hpp"
#include "api/rest/swarm_court.hpp"
#include "api/rest/swarm_rider.hpp"
#include "api/rest/transactions.hpp"
#include "api/route.hpp"

#include <optional>
#include <string>
#include <vector>

namespace hive::rest {

// What one request asks of the orchestrator. Attempts and askers are filled in by the desk.
struct Order {
    SwarmId swarm; // whose state explains a refusal
    Happening happening;
    std::vector<orchestrator::Queen::Ask> asks{};
    std::optional<store::RunRow> run{};
    bool listed = false; // answered as a list, however many there are
};

// The way of a command: asks the gate, claims its Idempotency-Key, asks the orchestrator, whose
// transaction takes along the audit entry and the answer, and waits for the outcome when `wait`
// says so.
class CommandDesk {
public:
    // Without a gate every command may go.
    CommandDesk(SwarmCourt& court, const SessionParts& server, CommandGate* gate)
        : court_{&court}, transactions_{&server.transactions}, server_{server}, gate_{gate} {}

    asio::awaitable<http::Response> carry_out(api::Call call, Order order) const;
    // The outcome of what was asked before, once it is there or the wait is over.
    asio::awaitable<http::Response> follow_up(api::Call call) const;

    SwarmCourt& court() const noexcept { return *court_; }
    Transactions& transactions() const noexcept { return *transactions_; }

private:
    struct Claimed { // one of the two, or neither when there is no key
        std::optional<SwarmRider::Kept> fresh{};
        std::optional<http::Response> answer{}; // sent instead: replayed or refused
        bool replay = false;
    };
    struct Known {
        bool is_known = false;
        std::optional<json::object> end{}; // none: not yet
    };
    asio::awaitable<Claimed> claim(api::Call call) const;
    asio::awaitable<Result<Known>> recorded(std::string id) const; // in the store
    asio::awaitable<void> release(SwarmRider::Kept claimed) const;
    asio::awaitable<Status>
    ask_all(std::vector<orchestrator::Queen::Ask> asks, orchestrator::RiderPtr rider) const;
    asio::awaitable<http::Response>
    wait_for_end(api::Call call, http::Response accepted, Duration wait) const;
    asio::awaitable<std::optional<json::object>> end_of(std::string id, TimePoint deadline) const;
    asio::awaitable<std::optional<json::value>>
    ends_of(json::object accepted, TimePoint deadline) const;
    http::Response refusal(const api::Call& call, const Error& error, const SwarmId& swarm) const;

    SwarmCourt* court_;
    Transactions* transactions_;
    SessionParts server_;
    CommandGate* gate_;
};

// The query parameter, and the answers that every command has.
api::QueryParameter wait_parameter();
std::vector<api::Answer> command_answers();
std::vector<api::Answer> listed_command_answers();

std::string fresh_id(); // for correlation ids and idempotency keys

} // namespace hive::rest
