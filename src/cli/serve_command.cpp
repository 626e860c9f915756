#include "cli/commands.hpp"
#include "cli/demo.hpp"
#include "cli/exit_code.hpp"
#include "cli/fd_log_sink.hpp"
#include "cli/running_server.hpp"
#include "cli/server_config.hpp"
#include "cli/signals.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

namespace hive::cli {
namespace {

struct ServeOptions {
    ServerConfig server{};
    Duration grace = std::chrono::seconds{10};
    bool json = false;
    bool demo = false; // of `hive up`
};

void declare_serve(OptionTable& table, ServeOptions& options) {
    declare_server_options(table, options.server);
    table.add_flag("grace", options.grace)
        .range(Duration::zero(), std::chrono::minutes{10})
        .help("longest wait for requests under way when the server is stopped");
    table.add_flag("json", options.json)
        .help("say where the server is as one JSON object, for scripts");
}

void declare_up(OptionTable& table, ServeOptions& options) {
    declare_serve(table, options);
    table.add_flag("demo", options.demo)
        .help("with something to look at: a swarm that calls a mock in this process, and tasks");
}

// Where it is and how to get in; the log goes to the other stream.
std::string greeting(
    const rest::HiveServer& hive, const ServeOptions& options, const std::string& link,
    const Demo* demo) {
    if (options.json) {
        json::object told{{"url", hive.url()}, {"pid", ::getpid()}};
        if (!link.empty()) told["loginLink"] = link;
        if (demo != nullptr) told["demoSwarm"] = demo->swarm();
        return to_text(told) + '\n';
    }
    std::string text = fmt::format("PocketHive is at {}\n", hive.url());
    if (!link.empty()) {
        text += fmt::format("Sign in with     {}\n", link);
        text += "                 (once, within a quarter of an hour)\n";
    }
    if (demo != nullptr) {
        text += fmt::format("Demo             {}/swarms/{}\n", hive.url(), demo->swarm());
    }
    text += fmt::format(
        "Data             {}\nStop it with Ctrl-C.\n",
        options.server.store ? options.server.store->shown() : options.server.data.text);
    if (options.server.files.root) {
        text.insert(
            text.find("Stop it"),
            fmt::format("Files            {}\n", options.server.files.root->text));
    }
    return text;
}

// A hive without its demo is a hive all the same.
std::unique_ptr<Demo>
start_demo(const ServerConfig& config, const std::string& url, const Call& call) {
    auto demo = Demo::start(config, url, call);
    if (demo) return *std::move(demo);
    call.host.err << "warning: the demo did not start: " << demo.error().detail << '\n';
    return nullptr;
}

enum class Greeting : bool { plain, with_login_link };

int run_server(const ServeOptions& options, Call& call, Greeting style) {
    const SignalWait signals; // before any thread starts
    FdLogSink sink{
        STDERR_FILENO, log_style(STDERR_FILENO, options.server.log_format, call.host.colors)};
    LogLevels levels;
    if (auto set = levels.set(options.server.log_level); !set) {
        throw std::logic_error("log level was checked when it was read");
    }
    const Logger log{sink, call.host.clock, levels, "hive"};
    auto running = RunningServer::start(options.server, call.host.clock, log);
    if (!running) {
        call.host.err << "error: " << running.error().detail << '\n';
        return running.error().code == Errc::invalid ? exit_bad_input : exit_failed;
    }
    rest::HiveServer& hive = (*running)->hive();
    std::string link;
    if (style == Greeting::with_login_link) link = hive.login_link("admin", accounts::Role::admin);
    std::unique_ptr<Demo> demo;
    if (options.demo) demo = start_demo(options.server, hive.url(), call);
    call.host.out << greeting(hive, options, link, demo.get());
    call.host.out.flush();
    log.info("listening", {{"url", hive.url()}});
    for (int signal = signals.next(); signal == SIGHUP; signal = signals.next()) {
        (*running)->reload_certificate();
    }
    demo.reset();
    log.info("stopping", {{"grace", options.grace}});
    const bool whole = (*running)->stop(options.grace);
    log.info("stopped", {{"cut", !whole}});
    return exit_ok;
}

int run_serve(ServeOptions& options, Call& call) {
    return run_server(options, call, Greeting::plain);
}

int run_up(ServeOptions& options, Call& call) {
    if (options.demo) {
        // Somebody is looking: numbers should move at once.
        ComponentConfig& components = options.server.swarm.components;
        constexpr Duration lively = std::chrono::seconds{1};
        components.bee.delta_every = std::min(components.bee.delta_every, lively);
        components.marshal.delta_every = std::min(components.marshal.delta_every, lively);
    }
    // A hive beside a repository with files keeps them in step without being told.
    constexpr const char* beside = ".deia";
    std::error_code error;
    if (!options.server.files.root && std::filesystem::is_directory(beside, error)) {
        options.server.files.root = DirectoryPath{beside};
    }
    return run_server(options, call, Greeting::with_login_link);
}

} // namespace

Command serve_command() {
    return make_command<ServeOptions>(
        {.name = "serve",
         .summary = "run a hive server with configured store, broker and certificates",
         .description =
             "Runs until it is interrupted (SIGINT, SIGTERM), then lets requests finish. SIGHUP "
             "loads the certificate again; changed files are also noticed within half a minute. "
             "Listens on this machine only unless http.listen says otherwise, and refuses to "
             "listen elsewhere without TLS or --http-insecure.",
         .examples =
             {{"hive serve --config hive.yaml", "run with the settings of a file"},
              {"hive serve --store postgres://hive@db/hive", "on PostgreSQL"}}},
        declare_serve, run_serve);
}

Command up_command() {
    return make_command<ServeOptions>(
        {.name = "up",
         .summary = "run a hive right here: server and store in this directory",
         .description =
             "Everything is kept in one directory, nothing has to be installed. Prints the address "
             "and a link that signs you in once as an administrator.",
         .examples =
             {{"hive up", "run on port 8080 with data in .hive"},
              {"hive up --demo", "the same, with a swarm to look at"},
              {"hive up --port 9000 --data /srv/hive", "elsewhere"}}},
        declare_up, run_up);
}

} // namespace hive::cli
