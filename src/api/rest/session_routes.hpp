#pragma once

#include "accounts/device_login.hpp"
#include "api/cors.hpp"
#include "api/cursor.hpp"
#include "api/http/eventually.hpp"
#include "api/rest/gatekeeper.hpp"
#include "api/rest/transactions.hpp"
#include "api/route.hpp"

#include <functional>
#include <mutex>
#include <string>
#include <vector>

namespace hive::rest {

struct SessionParts {
    Transactions& transactions;
    Gatekeeper& gatekeeper;
    const std::string& public_url; // as people reach this server: `https://hive.example`
    const api::CursorCodec& cursors;
    const api::CorsPolicy* origins = nullptr; // sites whose scripts may talk to us besides our own
    // A request of our own making, answered as one that came over a connection.
    std::function<http::Eventually<http::Response>(const http::Request&)> ask_self{};
};

// Who am I, WebSocket tickets, one-time login links, signing out.
std::vector<api::Route> session_routes(const SessionParts& parts);

// Who is signed in; signing other people out.
std::vector<api::Route> people_routes(const SessionParts& parts);

// Signing in programs that have no browser (RFC 8628): `hive login`.
std::vector<api::Route> device_routes(const SessionParts& parts);

// The answer to someone who failed too often; none when they may try.
std::optional<api::Problem> too_many_failures(const Gatekeeper& gatekeeper, const http::Peer& peer);

std::string login_link(const std::string& public_url, const Secret& word);

// Begins a session for someone who proved who they are, records it and sends the browser on.
struct Arrival {
    std::string person;
    accounts::Role role = accounts::Role::human;
    std::string by; // how: `link`, `oidc:<issuer>`
    std::string return_to = "/";
};
asio::awaitable<http::Response> arrive(SessionParts parts, api::Call call, Arrival arrival);

} // namespace hive::rest
