#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/server_client.hpp"
#include "cli/text_table.hpp"

namespace hive::cli {
namespace {

struct WhoamiOptions {
    ClientConfig client{};
    bool json = false;
};

void declare_whoami(OptionTable& table, WhoamiOptions& options) {
    declare_client_options(table, options.client);
    table.add_flag("json", options.json).help("answer for scripts");
}

int run_whoami(WhoamiOptions& options, Call& call) {
    auto connection = resolve_connection(options.client, call.host);
    if (!connection) return report(call.host, connection.error());
    auto client = ServerClient::open(std::move(*connection));
    if (!client) return report(call.host, client.error());
    auto answer = client->get("/api/v1/me");
    if (!answer) return report(call.host, answer.error());
    json::object& me = answer->as_object();
    me["server"] = client->server();
    const auto member = [&](std::string_view name) { return member_text(me, name); };
    call.host.out
        << (options.json ? to_text(me) + "\n"
                         : fields_text(
                               {{"id", member("id")},
                                {"role", member("role")},
                                {"scopes", member("scopes")},
                                {"key", member("proofId")},
                                {"hive", member("hive")},
                                {"server", member("server")}}));
    return exit_ok;
}

} // namespace

Command whoami_command() {
    return make_command<WhoamiOptions>(
        {.name = "whoami",
         .summary = "who the server takes you for, and what you may do",
         .examples =
             {{"hive whoami", "at the server of the current profile"},
              {"HIVE_KEY=$KEY hive whoami --server https://hive.example", "does this key work?"}}},
        declare_whoami, run_whoami);
}

} // namespace hive::cli
