#include "api/mcp/mcp_routes.hpp"

#include "api/cors.hpp"
#include "api/mcp/cancellations.hpp"
#include "api/mcp/own_request.hpp"
#include "kernel/encoding.hpp"
#include "kernel/entropy.hpp"

#include <array>
#include <memory>

namespace hive::mcp {
namespace {

using api::Call;

constexpr std::string_view session_header = "Mcp-Session-Id";
constexpr std::string_view stream_type = "text/event-stream";

http::Response nothing(unsigned status) {
    return {.status = status};
}

api::Problem problem(unsigned status, std::string code, std::string detail) {
    return {.status = status, .code = std::move(code), .detail = std::move(detail)};
}

// A client that takes both gets plain JSON: there is nothing to say before the answer.
bool wants_stream(const http::Request& request) {
    return request.lists("Accept", stream_type) && !request.lists("Accept", api::json_type);
}

http::Response said(const http::Request& request, std::string text) {
    if (!wants_stream(request)) return {.content_type = api::json_type, .body = std::move(text)};
    return {.content_type = stream_type, .body = "event: message\ndata: " + text + "\n\n"};
}

class McpDesk {
public:
    McpDesk(const rest::SessionParts& sessions, ServerInfo info)
        : sessions_{sessions}, info_{std::move(info)} {}

    rest::asio::awaitable<http::Response> take(Call call) {
        const http::Request& request = call.request();
        if (auto refused = check(call)) co_return call.fail(*refused);
        Exchange exchange{info_, read_message(call.body())};
        if (exchange.is_malformed()) {
            auto answer = said(request, exchange.answer());
            answer.status = 400;
            co_return answer;
        }
        const std::string session{request.header(session_header).value_or("")};
        if (!session.empty() && !exchange.begins_session() && !knows(call, session)) {
            co_return call.fail(problem(
                404, "no-such-session", "this session is not yours or not ours; initialize again"));
        }
        // Sessions of different people never meet: a request is known by both.
        const std::string place = call.principal()->id + '\n' + session;
        if (exchange.cancels()) cancellations_.give_up(place, *exchange.cancels());
        if (!exchange.is_request()) co_return nothing(202);
        const Cancellations::UnderWay under_way{cancellations_, place, exchange.id()};
        co_await carry(&request, &exchange, &under_way);
        if (exchange.answer().empty()) co_return nothing(202);
        auto answer = said(request, exchange.answer());
        if (exchange.begins_session()) answer.headers.add(session_header, new_session(call));
        co_return answer;
    }

    http::Response end(const Call& call) const {
        if (auto refused = check(call)) return call.fail(*refused);
        // It holds nothing but its name: whoever has dropped that has ended it.
        return nothing(204);
    }

private:
    std::optional<api::Problem> check(const Call& call) const {
        const http::Request& request = call.request();
        if (!api::is_own_origin(*sessions_.origins, request, sessions_.public_url)) {
            return problem(403, "foreign-origin", "scripts of this site may not talk to the hive");
        }
        if (!request.header("Authorization")) {
            return problem(401, "unauthenticated", "send an API key: Authorization: Bearer hv...");
        }
        const auto revision = request.header("MCP-Protocol-Version");
        if (revision && !is_spoken(*revision)) {
            return problem(
                400, "unknown-revision",
                "this server speaks the protocol of " + std::string{newest_revision()});
        }
        return std::nullopt;
    }

    static std::string listing_of(const Call& call) { return "mcp/" + call.principal()->id; }

    // Signed, so that it is good at every server of the hive, also after a restart.
    std::string new_session(const Call& call) const {
        std::array<std::uint8_t, 16> bytes{};
        fill_from_entropy(bytes);
        return sessions_.cursors.encode(listing_of(call), to_base64(bytes, Base64::url));
    }
    bool knows(const Call& call, const std::string& session) const {
        return sessions_.cursors.decode(listing_of(call), session).has_value();
    }

    // All three live in the frame of whoever waits for this.
    rest::asio::awaitable<void> carry(
        const http::Request* request, Exchange* exchange,
        const Cancellations::UnderWay* under_way) const {
        while (exchange->wants()) {
            const OwnRequest own{*request, *exchange->wants()};
            auto eventual = sessions_.ask_self(own.get());
            http::Response response;
            if (auto* ready = std::get_if<http::Response>(&eventual)) {
                response = std::move(*ready);
            } else {
                response =
                    co_await std::move(std::get<rest::asio::awaitable<http::Response>>(eventual));
            }
            if (under_way->given_up()) exchange->cancel();
            auto body = parse_json(
                http::view_of(response.body), {.bytes = std::size_t{32} << 20U, .depth = 64});
            exchange->answered({response.status, body ? *std::move(body) : json::value("no JSON")});
        }
    }

    rest::SessionParts sessions_;
    ServerInfo info_;
    Cancellations cancellations_;
};

api::Content message_content(json::object example) {
    return {.schema = {{"type", "object"}}, .example = std::move(example)};
}

std::vector<api::Route> routes_of(const std::shared_ptr<McpDesk>& desk) {
    std::vector<api::Route> routes;
    routes.push_back(
        {.method = http::Method::post,
         .path = "/mcp",
         .id = "mcp",
         .summary = "One message of the Model Context Protocol (Streamable HTTP)",
         .tag = "mcp",
         .access = api::Access::signed_in(),
         .handler = api::AsyncHandler{[desk](Call call) { return desk->take(call); }},
         .request = message_content({{"jsonrpc", "2.0"}, {"id", 1}, {"method", "ping"}}),
         .answers = {
             {200, "The answer to a request",
              message_content({{"jsonrpc", "2.0"}, {"id", 1}, {"result", json::object{}}})},
             {202, "Taken; there is nothing to answer", {}}}});
    routes.push_back(
        {.method = http::Method::remove,
         .path = "/mcp",
         .id = "endMcpSession",
         .summary = "The client needs its session no more",
         .tag = "mcp",
         .access = api::Access::signed_in(),
         .handler = api::SyncHandler{[desk](const Call& call) { return desk->end(call); }},
         .answers = {{204, "Ended", {}}}});
    return routes;
}

} // namespace

void offer_mcp(const ServerInfo& info, rest::HiveParts& parts) {
    parts.more.push_back([info](const rest::SessionParts& sessions) {
        return routes_of(std::make_shared<McpDesk>(sessions, info));
    });
}

} // namespace hive::mcp
