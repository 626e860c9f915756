#include "cli/mcp_stdio.hpp"

#include "cli/version.hpp"

#include <fmt/format.h>

namespace hive::cli {
namespace {

// Longer than the longest wait for work that a server grants.
constexpr Duration answer_within = std::chrono::seconds{90};
constexpr std::size_t answer_bytes_max = std::size_t{32} << 20U;

mcp::RestAnswer answer_of(const Result<web::Answer>& answer) {
    if (!answer) return {0, json::value(answer.error().detail)};
    auto body = parse_json(answer->body, {.bytes = answer_bytes_max, .depth = 64});
    return {answer->status, body ? *std::move(body) : json::value("it did not answer in JSON")};
}

} // namespace

struct McpStdio::Talk {
    Talk(McpStdio& all, const tl::expected<mcp::Message, mcp::RpcError>& read)
        : exchange{all.info_, read}, under_way{all.cancellations_, "", exchange.id()} {}

    mcp::Exchange exchange;
    mcp::Cancellations::UnderWay under_way;
};

McpStdio::McpStdio(Connection connection, web::Client& web, Host& host)
    : connection_{std::move(connection)}, web_{&web}, host_{&host}, info_{version()} {}

void McpStdio::take(std::string_view bytes) {
    while (!bytes.empty()) {
        const std::size_t end = bytes.find('\n');
        if (line_.size() + bytes.substr(0, end).size() > mcp::message_bytes_max) too_long_ = true;
        if (!too_long_) line_ += bytes.substr(0, end);
        if (end == bytes.npos) return;
        bytes.remove_prefix(end + 1);
        finish();
    }
}

void McpStdio::finish() {
    const std::string line = std::exchange(line_, {});
    if (std::exchange(too_long_, false)) {
        say(mcp::error_text(
            {mcp::RpcCode::parse_error,
             fmt::format("a message has {} bytes at most", mcp::message_bytes_max)}));
    } else if (line.find_first_not_of(" \t\r") != line.npos) {
        take_line(line);
    }
}

void McpStdio::take_line(std::string_view line) {
    const auto talk = std::make_shared<Talk>(*this, mcp::parse_message(line));
    if (talk->exchange.cancels()) cancellations_.give_up("", *talk->exchange.cancels());
    advance(talk);
}

void McpStdio::advance(const TalkPtr& talk) {
    if (!talk->exchange.wants()) return say(talk->exchange.answer());
    web_->send(
        request_of(*talk->exchange.wants()), [this, talk](const Result<web::Answer>& answer) {
            if (talk->under_way.given_up()) talk->exchange.cancel();
            talk->exchange.answered(answer_of(answer));
            advance(talk);
        });
}

void McpStdio::say(const std::string& text) {
    if (text.empty()) return;
    const std::lock_guard lock{saying_};
    host_->out << text << '\n';
    host_->out.flush();
}

web::Request McpStdio::request_of(const mcp::RestCall& call) const {
    web::Request request{
        .method = call.method,
        .url = connection_.server + call.path,
        .headers =
            {{"User-Agent", "hive-mcp/" + version()},
             {"Authorization", fmt::format("Bearer {}", connection_.key.reveal())}},
        .within = answer_within,
        .answer_bytes_max = answer_bytes_max};
    if (call.body) {
        request.body = to_text(*call.body);
        request.headers.push_back({"Content-Type", "application/json"});
    }
    return request;
}

} // namespace hive::cli
