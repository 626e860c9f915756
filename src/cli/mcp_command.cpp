#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/mcp_stdio.hpp"
#include "web/curl/curl_client.hpp"

#include <unistd.h>

#include <array>
#include <cerrno>

namespace hive::cli {
namespace {

constexpr Duration goodbye = std::chrono::seconds{10};

struct McpOptions {
    ClientConfig client{};
};

void declare_mcp(OptionTable& table, McpOptions& options) {
    declare_client_options(table, options.client);
}

int run_mcp(McpOptions& options, Call& call) {
    auto connection = resolve_connection(options.client, call.host);
    if (!connection) return report(call.host, connection.error());
    auto web = web::curl::CurlClient::open({.ca_file = connection->ca_file});
    if (!web) return report(call.host, web.error());
    McpStdio talk{*std::move(connection), **web, call.host};
    std::array<char, 65'536> bytes{};
    for (;;) {
        const ssize_t count = ::read(call.host.in, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        talk.take({bytes.data(), static_cast<std::size_t>(count)});
    }
    talk.finish();
    (*web)->close(goodbye); // what is under way is answered first
    return exit_ok;
}

} // namespace

Command mcp_command() {
    return make_command<McpOptions>(
        {.name = "mcp",
         .summary = "be a tool server for agents, over standard input and output",
         .description =
             "Speaks the Model Context Protocol, a message a line, for programs that start their "
             "tool servers themselves. Every tool is a request to the server that --server, "
             "HIVE_SERVER or a profile names, with the key of the bee. The server itself has the "
             "same tools at /mcp.",
         .examples =
             {{"HIVE_SERVER=https://hive.example HIVE_KEY=hvb_... hive mcp",
               "as the configuration of an agent would start it"}}},
        declare_mcp, run_mcp);
}

} // namespace hive::cli
