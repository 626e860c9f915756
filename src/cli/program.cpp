#include "cli/program.hpp"

#include "cli/arguments.hpp"
#include "cli/exit_code.hpp"
#include "cli/read_file.hpp"
#include "cli/usage.hpp"
#include "cli/version.hpp"
#include "kernel/config_load.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace hive::cli {
namespace {

constexpr std::size_t config_bytes_max = std::size_t{1} << 20U;
constexpr std::size_t secret_bytes_max = std::size_t{64} << 10U;

int refuse(Host& host, std::span<const Finding> findings, std::span<const SourceText> sources) {
    host.err << render(findings, sources);
    return exit_bad_input;
}

// The option called --config names the file for all others of the command.
std::string config_name(const Arguments& arguments, const Host& host) {
    const Option* option = arguments.command->options.find_flag("config");
    if (option == nullptr) return {};
    for (const GivenFlag& given : arguments.flags) {
        if (given.flag == "config") return given.text;
    }
    return option->info.env.empty() ? std::string{} : host.env(option->info.env).value_or("");
}

ConfigSources sources_of(const Arguments& arguments, const Host& host) {
    return {
        .env = host.env,
        .flags = arguments.flags,
        .positionals = arguments.positionals,
        .secrets = {.env = host.env, .file = [](const std::string& path) {
                        return read_file(path, secret_bytes_max);
                    }}};
}

int load_and_run(const Command& root, const Arguments& arguments, Host& host) {
    const Command& command = *arguments.command;
    Call call{.host = host, .root = root, .self = command};
    ConfigSources sources = sources_of(arguments, host);
    call.config_name = config_name(arguments, host);
    std::vector<Finding> findings;
    if (!call.config_name.empty()) {
        auto text = read_file(call.config_name, config_bytes_max);
        if (text) {
            call.config_text = *std::move(text);
            sources.file = SourceText{call.config_name, call.config_text};
        } else {
            findings.push_back(
                {.code = "unreadable", .file = call.config_name, .message = text.error().detail});
        }
    }
    std::ranges::move(load_config(command.options, sources), std::back_inserter(findings));
    if (command.takes_config_findings) {
        for (const Finding& finding : findings) {
            if (!finding.file.empty()) call.findings.push_back(finding);
        }
        std::erase_if(findings, [](const Finding& f) { return !f.file.empty(); });
    }
    if (has_errors(findings)) {
        const SourceText source{call.config_name, call.config_text};
        return refuse(host, findings, {&source, 1});
    }
    host.err << render(findings); // warnings do not stop anyone
    return command.run(call);
}

} // namespace

int run_program(const Command& root, std::span<const std::string> args, Host& host) {
    const Arguments arguments = parse_arguments(root, args);
    const Command& command = *arguments.command;
    if (arguments.help) {
        host.out << help_text(arguments.path, command);
        return exit_ok;
    }
    if (!arguments.findings.empty()) return refuse(host, arguments.findings, {});
    if (arguments.version) {
        host.out << version_text();
        return exit_ok;
    }
    if (!command.run) {
        host.err << help_text(arguments.path, command);
        return exit_bad_input;
    }
    return load_and_run(root, arguments, host);
}

} // namespace hive::cli
