// `hive webhook create`, `update` and `rotate`.
#include "cli/failure.hpp"
#include "cli/swarm_commands.hpp"
#include "cli/webhook_commands.hpp"

#include <boost/json/value_from.hpp>

namespace hive::cli {
namespace {

struct SetupOptions {
    AskOptions ask{};
    std::string url{};
    std::vector<std::string> events{};
    std::string format{};
    std::string description{};
    Secret token{};
};

void declare_setup(OptionTable& table, SetupOptions& options) {
    table.add_flag("event", options.events)
        .value_name("PATTERN")
        .suggests({"task.*", "message.new", "approval.*", "swarm.*", "audit.checkpoint", "*"})
        .help("what it is told of");
    table.add_flag("format", options.format)
        .value_name("FORMAT")
        .choices({"standard", "github", "discord"})
        .help("how it is told; standard when left out");
    table.add_flag("description", options.description).value_name("TEXT").help("what it is for");
    table.add_flag("token", options.token)
        .value_name("TOKEN")
        .help("sent along as Authorization: Bearer, for receivers that ask for one");
    declare_ask(table, options.ask);
}

json::object body_of(const SetupOptions& options) {
    json::object body;
    if (!options.url.empty()) body["url"] = options.url;
    if (!options.events.empty()) body["events"] = json::value_from(options.events);
    if (!options.format.empty()) body["format"] = options.format;
    if (!options.description.empty()) body["description"] = options.description;
    if (!options.token.empty()) body["token"] = options.token.reveal();
    return body;
}

void declare_webhook_create(OptionTable& table, SetupOptions& options) {
    table.add_positional("URL", options.url).required().help("where it is told");
    declare_setup(table, options);
}

int run_webhook_create(SetupOptions& options, Call& call) {
    auto server = reach_server(options.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    json::object body = body_of(options);
    if (options.events.empty()) body["events"] = json::array{"*"};
    return print_answer(
        call.host, server->post("/api/v1/webhooks", body), options.ask.json, webhook_with_secret);
}

struct UpdateOptions {
    SetupOptions setup{};
    std::string id{};
    bool enable = false;
    bool disable = false;
    bool drop_token = false;
};

void declare_webhook_update(OptionTable& table, UpdateOptions& options) {
    table.add_positional("WEBHOOK", options.id).required().help("its id");
    table.add_flag("url", options.setup.url).value_name("URL").help("where it is told from now on");
    table.add_flag("enable", options.enable).help("tell it again");
    table.add_flag("disable", options.disable).help("tell it nothing for now");
    table.add_flag("no-token", options.drop_token).help("send no token any more");
    declare_setup(table, options.setup);
}

int run_webhook_update(UpdateOptions& options, Call& call) {
    if (options.enable && options.disable) {
        return report(call.host, {Errc::invalid, "--enable or --disable, not both"});
    }
    auto server = reach_server(options.setup.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    json::object body = body_of(options.setup);
    if (options.enable || options.disable) body["enabled"] = options.enable;
    if (options.drop_token) body["token"] = "";
    return print_answer(
        call.host, server->patch(webhook_path(options.id), body), options.setup.ask.json,
        webhook_text);
}

struct RotateOptions {
    OneWebhookOptions one{};
    std::string overlap{};
};

void declare_rotate(OptionTable& table, RotateOptions& options) {
    table.add_flag("overlap", options.overlap)
        .value_name("TIME")
        .help("how long the old secret signs as well; 24h when left out");
    declare_one_webhook(table, options.one);
}

int run_rotate(RotateOptions& options, Call& call) {
    auto server = reach_server(options.one.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    json::object body;
    if (!options.overlap.empty()) body["overlap"] = options.overlap;
    return print_answer(
        call.host, server->post(webhook_path(options.one.id, "/rotate"), body),
        options.one.ask.json, webhook_with_secret);
}

} // namespace

Command webhook_create_command() {
    return make_command<SetupOptions>(
        {.name = "create",
         .summary = "tell a server what happens",
         .description =
             "Prints the secret that signs its deliveries, once. Without --event it is told "
             "everything.",
         .examples =
             {{"hive webhook create https://ci.example/hive --event 'task.*'",
               "all that happens to tasks"},
              {"hive webhook create https://discord.com/api/webhooks/ID/TOKEN --format discord",
               "a channel of Discord hears of everything"}}},
        declare_webhook_create, run_webhook_create);
}

Command webhook_update_command() {
    return make_command<UpdateOptions>(
        {.name = "update",
         .summary = "change a webhook, enable or disable it",
         .examples = {{"hive webhook update ID --enable", "after it was disabled"}}},
        declare_webhook_update, run_webhook_update);
}

Command webhook_rotate_command() {
    return make_command<RotateOptions>(
        {.name = "rotate",
         .summary = "give a webhook a new secret",
         .description = "For a while both the old and the new secret sign.",
         .examples = {{"hive webhook rotate ID --overlap 2h", "two hours to tell the receiver"}}},
        declare_rotate, run_rotate);
}

} // namespace hive::cli
