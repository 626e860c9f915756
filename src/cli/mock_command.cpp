#include "cli/commands.hpp"
#include "cli/exit_code.hpp"
#include "cli/signals.hpp"
#include "kernel/yaml.hpp"
#include "mock/routes_yaml.hpp"
#include "mock/server.hpp"
#include "telemetry/summary.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <string>
#include <vector>

namespace hive::cli {
namespace {

struct MockOptions {
    mock::Settings settings{};
    std::uint16_t status = 200;
    std::string body = mock::Behaviour{}.body;
    std::optional<FilePath> log{};
    FilePath config{};
    bool json = false;
};

void declare_faults(OptionTable& table, mock::Behaviour& usual) {
    table.add("error-ratio", usual.error_ratio).help("share answered with --error-status");
    table.add("error-status", usual.error_status).range(200, 599).help("status of those answers");
    table.add("reset-ratio", usual.reset_ratio).help("share whose connection is reset");
    table.add("silent-ratio", usual.silent_ratio).help("share that is never answered");
    table.add("truncate-ratio", usual.truncate_ratio)
        .help("share cut off half-way through the body");
    table.add("lie-ratio", usual.lie_ratio)
        .help("share whose Content-Length is shorter than the body");
}

void declare_mock(OptionTable& table, MockOptions& options) {
    mock::Settings& settings = options.settings;
    table.add("http", settings.http)
        .value_name("PORT")
        .help("serve HTTP there; 0 takes a free port");
    table.add("tcp", settings.tcp)
        .help("serve messages over TCP there, may be given several times; without FRAMING a line "
              "break ends each");
    table.add("listen", settings.listen).value_name("ADDRESS").help("address to listen on");
    table.add("delay", settings.usual.delay).help("how long an answer takes");
    table.add("status", options.status).range(200, 599).help("status of an answer");
    table.add("body", options.body).help("body of an answer; {count} is the number of the request");
    table.add("content-type", settings.usual.content_type).help("type of that body");
    table.add("tcp-body", settings.tcp_body)
        .help("what to answer to a message; without it the message itself");
    declare_faults(table, settings.usual);
    table.add("capacity", settings.capacity)
        .help("requests served at a time, the others queue up; 0 is no limit");
    table.add("stall", settings.stalls)
        .help("no answers from AT until LASTS later, counted from the start or the last reset");
    table.add("threads", settings.threads).range(1, 64).help("threads that serve");
    table.add("connections", settings.connections_max)
        .range(1, 1'000'000)
        .help("clients per thread; more are turned away");
    table.add("arrivals", settings.arrivals_max)
        .range(0, 100'000'000)
        .help("arrival times kept for /__mock/arrivals and the evenness in /__mock/stats");
    table.add("seed", settings.seed).help("of delays and faults: the same seed repeats them");
    table.add("log", options.log).help("append one JSON line per request to this file");
    table.add_flag("config", options.config)
        .help("YAML file with these settings by name, and 'routes' with answers of their own");
    table.add_flag("json", options.json).help("print where it listens and what it saw as JSON");
}

// The settings by name were read already; routes are more than one value. False: refused.
bool read_file_routes(MockOptions& options, Call& call) {
    std::erase_if(call.findings, [](const Finding& f) { return f.key == "routes"; });
    if (!call.config_text.empty()) {
        const auto document = parse_yaml(call.config_name, call.config_text);
        if (const YamlNode* routes = document.root.find("routes")) {
            options.settings.routes =
                mock::read_routes(*routes, options.settings.usual, call.config_name, call.findings);
        }
    }
    const SourceText source{call.config_name, call.config_text};
    call.host.err << render(call.findings, {&source, 1});
    return !has_errors(call.findings);
}

json::object places_json(const mock::Server& server, const std::string& host) {
    json::object told{{"pid", ::getpid()}};
    if (server.http_port()) told["http"] = fmt::format("http://{}:{}", host, *server.http_port());
    json::array tcp;
    for (const auto& endpoint : server.tcp()) {
        tcp.push_back(json::object{
            {"address", fmt::format("{}:{}", host, endpoint.port)},
            {"framing", mock::name_of(endpoint.framing)}});
    }
    told["tcp"] = std::move(tcp);
    return told;
}

void greet(const mock::Server& server, const MockOptions& options, std::ostream& out) {
    const std::string& address = options.settings.listen;
    const std::string host = address.find(':') == address.npos ? address : '[' + address + ']';
    if (options.json) {
        out << to_text(places_json(server, host)) << '\n' << std::flush;
        return;
    }
    if (server.http_port()) out << fmt::format("HTTP  http://{}:{}\n", host, *server.http_port());
    for (const auto& endpoint : server.tcp()) {
        out << fmt::format(
            "TCP   {}:{} ({})\n", host, endpoint.port, mock::name_of(endpoint.framing));
    }
    out << "Stop it with Ctrl-C.\n" << std::flush;
}

void tell(const mock::Record& record, const MockOptions& options, std::ostream& out) {
    if (options.json) {
        out << to_text(mock::to_json(record)) << '\n';
        return;
    }
    const auto delay = telemetry::latencies_of(record.delay);
    out << fmt::format(
        "{} requests, {} answered, {} malformed\n", record.requests, record.answered,
        record.malformed);
    for (const auto& [status, count] : record.by_status)
        out << fmt::format("  status {}   {}\n", status, count);
    for (std::size_t i = 1; i < mock::faults; ++i) {
        if (record.by_fault[i] == 0) continue;
        out << fmt::format(
            "  fault {:<10} {}\n", mock::name_of(static_cast<mock::Fault>(i)), record.by_fault[i]);
    }
    if (record.answered > 0) {
        out << fmt::format(
            "  delay  p50 {:.0f} us, p99 {:.0f} us, most {:.0f} us\n", delay.p50, delay.p99,
            delay.max);
    }
}

int run_mock(MockOptions& options, Call& call) {
    options.settings.usual.statuses = {options.status};
    options.settings.usual.body = options.body;
    if (!read_file_routes(options, call)) return exit_bad_input;
    const SignalWait signals; // before any thread starts
    std::unique_ptr<mock::RequestLog> log;
    if (options.log) {
        auto opened = mock::RequestLog::open(options.log->text);
        if (!opened) {
            call.host.err << "error: " << opened.error().detail << '\n';
            return exit_failed;
        }
        log = *std::move(opened);
    }
    auto server = mock::Server::start(options.settings, call.host.clock, log.get());
    if (!server) {
        call.host.err << "error: " << server.error().detail << '\n';
        return server.error().code == Errc::invalid ? exit_bad_input : exit_failed;
    }
    greet(**server, options, call.host.out);
    while (signals.next() == SIGHUP) {
    } // only ends on request
    (*server)->stop();
    tell((*server)->record(), options, call.host.out);
    if (log) log->flush();
    if (log && log->broken()) {
        call.host.err << fmt::format(
            "error: the request log {} is not whole; is the disk full?\n", options.log->text);
        return exit_failed;
    }
    return exit_ok;
}

} // namespace

Command mock_command() {
    Command command = make_command<MockOptions>(
        {.name = "mock",
         .summary = "be a system under test: HTTP and TCP with delays, faults and limits",
         .description =
             "Runs until it is interrupted, then says what it saw. Every answer takes --delay; "
             "with --capacity only so many are served at a time, so that queues really build "
             "up.\n\n"
             "A delay is constant (5ms) or drawn: uniform(1ms,9ms), normal(5ms,1ms), "
             "exponential(5ms), lognormal(5ms,0.5) by median and sigma, bimodal(2ms,50ms,10%). "
             "Framings of --tcp are echo, delimiter, stx-etx, length-2 and length-4.\n\n"
             "GET /__mock/stats tells what really happened, with the true delays and how evenly "
             "requests came; /__mock/arrivals lists each arrival in nanoseconds; /__mock/reset "
             "begins anew.",
         .examples =
             {{"hive mock --http 8081 --delay 5ms --error-ratio 1% --capacity 20",
               "a slow server that is soon overloaded"},
              {"hive mock --tcp 9001:length-2", "messages with a length before them, sent back"},
              {"hive mock --http 0 --config mock.yaml", "routes from a file, on any free port"}}},
        declare_mock, run_mock);
    command.takes_config_findings = true;
    return command;
}

} // namespace hive::cli
