#pragma once

#include "api/colony/workplace.hpp"
#include "api/route.hpp"
#include "colony/approvals/approval.hpp"

#include <functional>

namespace hive::rest {

// Answers requests about approvals.
class ApprovalDesk {
public:
    ApprovalDesk(const SessionParts& sessions, ColonyParts& colony)
        : sessions_{sessions}, colony_{&colony} {}

    asio::awaitable<http::Response> list(api::Call call) const;
    asio::awaitable<http::Response> show(api::Call call) const;
    asio::awaitable<http::Response> ask(api::Call call) const;
    asio::awaitable<http::Response> add_evidence(api::Call call) const;
    asio::awaitable<http::Response> withdraw(api::Call call) const;
    asio::awaitable<http::Response> decide(api::Call call) const;
    asio::awaitable<http::Response> override_it(api::Call call) const;
    asio::awaitable<http::Response> make_link(api::Call call) const;

    // What a link shows, and what its form sends.
    asio::awaitable<http::Response> show_link(api::Call call) const;
    asio::awaitable<http::Response> follow_link(api::Call call) const;

private:
    using Approval = colony::approvals::Approval;
    using Ending = std::function<colony::Outcome<Approval>(Workplace& place)>;
    // Something that may end a request, and what follows from that, in one unit. What follows may
    // be refused: then the end stands without it.
    asio::awaitable<http::Response> end_with(api::Call call, Ending ending, Cause cause) const;
    const HiveId& hive() const { return sessions_.transactions.chronicle().hive(); }

    SessionParts sessions_;
    ColonyParts* colony_;
};

} // namespace hive::rest
