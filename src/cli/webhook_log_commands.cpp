// `hive webhook deliveries`, `replay` and `test`.
#include "cli/exit_code.hpp"
#include "cli/failure.hpp"
#include "cli/swarm_commands.hpp"
#include "cli/text_table.hpp"
#include "cli/webhook_commands.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>

#include <thread>

namespace hive::cli {
namespace {

// What came back from the last attempt.
std::string last_answer(const json::object& delivery) {
    const auto& log = delivery.at("log").as_array();
    if (log.empty()) return {};
    const json::object& last = log.back().as_object();
    return printable(
        fmt::format("{} {}", member_text(last, "status"), member_text(last, "answer")), 60);
}

std::string delivery_text(const json::object& delivery) {
    return fmt::format(
        "{} {} is {} after {} attempts: {}\n", member_text(delivery, "event"),
        member_text(delivery, "id"), member_text(delivery, "state"),
        member_text(delivery, "attempts"), last_answer(delivery));
}

struct LogOptions {
    OneWebhookOptions one{};
    std::string state{};
    std::string event{};
    std::uint32_t lines = 50;
};

void declare_log(OptionTable& table, LogOptions& options) {
    table.add_flag("state", options.state)
        .value_name("STATE")
        .choices({"pending", "delivered", "failed"})
        .help("only these");
    table.add_flag("event", options.event).value_name("EVENT").help("only this event");
    table.add_flag("lines", options.lines).range(1U, 10'000U).help("so many of the newest");
    declare_one_webhook(table, options.one);
}

int run_log(LogOptions& options, Call& call) {
    auto server = reach_server(options.one.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    const auto found = all_pages(
        *server, webhook_path(options.one.id, "/deliveries"),
        {{"state", options.state}, {"event", options.event}}, options.lines);
    if (!found) return report(call.host, found.error());
    if (options.one.ask.json) {
        call.host.out << to_text(json::object{{"items", *found}}) << '\n';
        return exit_ok;
    }
    TextTable table{{"DELIVERY", "EVENT", "STATE", "ATTEMPTS", "AGE", "LAST ANSWER"}};
    for (const auto& item : *found) {
        const json::object& delivery = item.as_object();
        table.add(
            {member_text(delivery, "id"), member_text(delivery, "event"),
             member_text(delivery, "state"), member_text(delivery, "attempts"),
             member_age(delivery, "createdAt", call.host.clock.wall()), last_answer(delivery)});
    }
    call.host.out << table.text();
    return exit_ok;
}

struct ReplayOptions {
    OneWebhookOptions one{};
    std::string delivery{};
    std::string since{};
    bool all = false;
};

void declare_replay(OptionTable& table, ReplayOptions& options) {
    table.add_positional("WEBHOOK", options.one.id).required().help("its id");
    table.add_positional("DELIVERY", options.delivery).help("the id of one; else --since");
    table.add_flag("since", options.since)
        .value_name("TIME")
        .help("all that has failed since, such as 2026-01-05T10:00:00Z");
    table.add_flag("all", options.all).help("with --since: also what has arrived");
    declare_ask(table, options.one.ask);
}

int run_replay(ReplayOptions& options, Call& call) {
    if (options.delivery.empty() == options.since.empty()) {
        return report(call.host, {Errc::invalid, "name one delivery, or say --since when"});
    }
    auto server = reach_server(options.one.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    if (!options.delivery.empty()) {
        const std::string path =
            fmt::format("/deliveries/{}/replay", percent_encoded(options.delivery));
        return print_answer(
            call.host, server->post(webhook_path(options.one.id, path)), options.one.ask.json,
            [](const json::object& delivery) {
                return fmt::format("{} is sent again\n", member_text(delivery, "id"));
            });
    }
    const json::object body{{"since", options.since}, {"which", options.all ? "all" : "failed"}};
    return print_answer(
        call.host, server->post(webhook_path(options.one.id, "/replay"), body),
        options.one.ask.json, [](const json::object& done) {
            return fmt::format("{} deliveries are sent again\n", member_text(done, "replayed"));
        });
}

struct TestOptions {
    OneWebhookOptions one{};
    Duration timeout = std::chrono::seconds{30};
};

void declare_test(OptionTable& table, TestOptions& options) {
    table.add_flag("timeout", options.timeout).help("how long to wait for its answer");
    declare_one_webhook(table, options.one);
}

// Until the first attempt has ended, or the time is over.
Result<json::value>
await_attempt(ServerClient& server, const json::object& sent, TestOptions& how) {
    const std::string path = webhook_path(
        how.one.id, fmt::format("/deliveries/{}", percent_encoded(member_text(sent, "id"))));
    const auto until = std::chrono::steady_clock::now() + how.timeout;
    for (;;) {
        auto now = server.get(path);
        if (!now || member_text(now->as_object(), "attempts") != "0") return now;
        if (std::chrono::steady_clock::now() >= until) return now;
        std::this_thread::sleep_for(std::chrono::milliseconds{200});
    }
}

int run_test(TestOptions& options, Call& call) {
    auto server = reach_server(options.one.ask.client, call.host);
    if (!server) return report(call.host, server.error());
    const auto sent = server->post(webhook_path(options.one.id, "/test"));
    if (!sent) return report(call.host, sent.error());
    const auto ended = await_attempt(*server, sent->as_object(), options);
    const int printed = print_answer(call.host, ended, options.one.ask.json, delivery_text);
    if (printed != exit_ok) return printed;
    return member_text(ended->as_object(), "state") == "delivered" ? exit_ok : exit_check_failed;
}

} // namespace

Command webhook_deliveries_command() {
    return make_command<LogOptions>(
        {.name = "deliveries",
         .summary = "what was sent and what came back",
         .examples = {{"hive webhook deliveries ID --state failed", "what did not arrive"}}},
        declare_log, run_log);
}

Command webhook_replay_command() {
    return make_command<ReplayOptions>(
        {.name = "replay",
         .summary = "send deliveries again",
         .examples =
             {{"hive webhook replay ID DELIVERY", "one of them"},
              {"hive webhook replay ID --since 2026-01-05T10:00:00Z", "all that failed since"}}},
        declare_replay, run_replay);
}

Command webhook_test_command() {
    return make_command<TestOptions>(
        {.name = "test",
         .summary = "send a ping and say what came back",
         .examples = {{"hive webhook test ID", "exit code 1 when it did not arrive"}}},
        declare_test, run_test);
}

} // namespace hive::cli
