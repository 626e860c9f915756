#pragma once

#include "api/mcp/cancellations.hpp"
#include "api/mcp/exchange.hpp"
#include "cli/client_config.hpp"
#include "cli/host.hpp"
#include "web/client.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <string_view>

namespace hive::cli {

// The Model Context Protocol over standard input and output: a message a line. What tools ask for
// is asked of a server; several calls may be under way, answered as they end.
class McpStdio {
public:
    McpStdio(Connection connection, web::Client& web, Host& host);

    // Bytes as they come, in pieces of any size.
    void take(std::string_view bytes);
    // Input has ended: an unfinished line is a message too.
    void finish();

private:
    struct Talk; // one message on its way
    using TalkPtr = std::shared_ptr<Talk>;

    void take_line(std::string_view line);
    void advance(const TalkPtr& talk);
    void say(const std::string& text);
    web::Request request_of(const mcp::RestCall& call) const;

    Connection connection_;
    web::Client* web_;
    Host* host_;
    mcp::ServerInfo info_;
    mcp::Cancellations cancellations_;
    std::string line_;
    bool too_long_ = false; // the rest of this line is skipped
    std::mutex saying_;
};

} // namespace hive::cli
