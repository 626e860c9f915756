#include "cli/check.hpp"
#include "cli/commands.hpp"
#include "cli/fd_log_sink.hpp"
#include "cli/probes.hpp"
#include "cli/server_config.hpp"
#include "kernel/append_format.hpp"
#include "kernel/config_load.hpp"
#include "kernel/text.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <string>
#include <vector>

namespace hive::cli {
namespace {

struct DoctorOptions {
    ServerConfig server{};
    bool json = false;
    bool explain = false;
    Duration within = std::chrono::seconds{5};
};

Check check_config(const Call& call) {
    if (call.config_name.empty()) {
        return {.name = "config", .health = Health::note, .message = "no config file given"};
    }
    if (has_errors(call.findings)) {
        const auto errors = std::ranges::count(call.findings, Severity::error, &Finding::severity);
        return {
            .name = "config",
            .health = Health::bad_input,
            .message = fmt::format(
                "{} has {} problem{}", call.config_name, errors, errors == 1 ? "" : "s"),
            .remedy = "they are listed below"};
    }
    return {.name = "config", .message = fmt::format("{} is fine", call.config_name)};
}

// Runs the probes one after the other and logs how long each took.
std::vector<Check> run_checks(const DoctorOptions& options, const Call& call, const Logger& log) {
    const ServerConfig& server = options.server;
    std::vector<Check> checks{check_config(call)};
    const auto timed = [&](const char* what, const std::function<std::vector<Check>()>& probe) {
        const TimePoint began = call.host.clock.now();
        std::ranges::move(probe(), std::back_inserter(checks));
        log.debug("checked", {{"what", what}, {"took", call.host.clock.now() - began}});
    };
    const auto one = [](Check check) { return std::vector{std::move(check)}; };
    timed("machine", check_machine);
    timed("data", [&] { return one(check_data_directory(server.data.text)); });
    timed("port", [&] { return one(check_port(server.http.listen, server.http.port)); });
    timed("broker", [&] { return one(check_broker(server.broker, options.within)); });
    timed(
        "store", [&] { return one(check_store(server.store, server.data.text, options.within)); });
    timed(
        "components", [&] { return check_components(server.data.text, server.store.has_value()); });
    timed("tools", [&] { return check_tools(call.host.env); });
    return checks;
}

std::string settings_text(const OptionTable& table) {
    std::string out = "\nSettings, and where each comes from:\n";
    for (const auto& [name, value, where] : explain(table)) {
        append_format(
            out, "  {:<14} {:<32} {}\n", name, value.empty() ? "-" : printable(value, 200), where);
    }
    return out;
}

json::value settings_json(const OptionTable& table) {
    json::array settings;
    for (const auto& [name, value, where] : explain(table)) {
        settings.push_back(json::object{{"name", name}, {"value", value}, {"from", where}});
    }
    return settings;
}

int run_doctor(DoctorOptions& options, Call& call) {
    const bool colors = call.host.colors;
    FdLogSink sink{STDERR_FILENO, log_style(STDERR_FILENO, options.server.log_format, colors)};
    LogLevels levels;
    if (auto set = levels.set(options.server.log_level); !set) {
        throw std::logic_error("log level was checked when it was read");
    }
    const auto checks = run_checks(options, call, Logger{sink, call.host.clock, levels, "doctor"});
    const int code = exit_code_of(checks);
    if (options.json) {
        json::object report;
        report["healthy"] = code == 0;
        report["checks"] = to_json(checks);
        report["findings"] = to_json(std::span{call.findings});
        if (options.explain) report["settings"] = settings_json(call.self.options);
        call.host.out << to_text(report) << '\n';
        return code;
    }
    call.host.out << render(checks, colors);
    if (options.explain) call.host.out << settings_text(call.self.options);
    call.host.out.flush(); // before what follows on the other stream
    const SourceText source{call.config_name, call.config_text};
    call.host.err << render(call.findings, {&source, 1});
    return code;
}

} // namespace

Command doctor_command() {
    Command command = make_command<DoctorOptions>(
        {.name = "doctor",
         .summary = "check the machine, settings, broker and store; say what to do",
         .description =
             "Looks at everything a hive server needs with the given settings and changes nothing. "
             "Exit code 0: healthy; 2: a setting must be changed; 3: something required is "
             "missing.",
         .examples =
             {{"hive doctor", "check the embedded defaults"},
              {"hive doctor --config hive.yaml --explain",
               "check a config file and show where each setting comes from"},
              {"hive doctor --broker amqp://guest:guest@localhost:5672 --json",
               "log in to a broker and report for a script"}}},
        [](OptionTable& table, DoctorOptions& options) {
            declare_server_options(table, options.server);
            table.add_flag("timeout", options.within)
                .range(std::chrono::milliseconds{100}, std::chrono::minutes{5})
                .help("longest wait for each server");
            table.add_flag("explain", options.explain)
                .help("also show each setting and where it comes from");
            table.add_flag("json", options.json).help("report for scripts");
        },
        run_doctor);
    command.takes_config_findings = true;
    return command;
}

} // namespace hive::cli
