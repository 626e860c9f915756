#include "tests/system/cli_hive.hpp"

#include "tests/support/child_process.hpp"
#include "tests/support/places.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <thread>

namespace hive::tests {
namespace {

using namespace std::chrono_literals;

// The line that a server greets with, once it is there; the log goes to the same file.
json::object greeting_in(const std::string& path) {
    const auto deadline = std::chrono::steady_clock::now() + 30s;
    while (std::chrono::steady_clock::now() < deadline) {
        std::ifstream file{path};
        for (std::string line; std::getline(file, line);) {
            if (!line.starts_with(R"({"url":)") || file.eof()) continue;
            return object_in(line);
        }
        std::this_thread::sleep_for(10ms);
    }
    FAIL("the server did not start");
    return {};
}

} // namespace

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

json::object object_in(const std::string& text) {
    const auto end = text.find_last_not_of('\n');
    const auto parsed = parse_json(std::string_view{text}.substr(0, end + 1));
    REQUIRE_MESSAGE(parsed.has_value(), text);
    REQUIRE_MESSAGE(parsed->is_object(), text);
    return parsed->as_object();
}

std::string text_of(const json::object& object, std::string_view name) {
    return std::string{object.at(name).as_string()};
}

Outcome Person::run(std::vector<std::string> args) const {
    return run_hive(std::move(args), environment);
}

json::object Person::ask(std::vector<std::string> args) const {
    args.emplace_back("--json");
    const auto outcome = run(std::move(args));
    REQUIRE_MESSAGE(outcome.exit_code == 0, outcome.err);
    return object_in(outcome.out);
}

Outcome Person::shell(const std::string& script) const {
    auto variables = environment;
    variables["HIVE"] = hive::tests::hive_program();
    return run_program({"bash", "-c", script}, variables);
}

RunningHive::RunningHive(std::vector<std::string> more, std::string directory)
    : more_{std::move(more)}, directory_{std::move(directory)} {
    const auto made =
        run_hive({"key", "create", "--role", "admin", "--owner", "queen", "--data", data()});
    REQUIRE_MESSAGE(made.exit_code == 0, made.err);
    key = made.out.substr(0, made.out.size() - 1);
    environment["HIVE_KEY"] = key;
    start();
}

void RunningHive::start() {
    const std::string log = home.path(fmt::format("server-{}.log", ++starts_));
    std::vector<std::string> argv{
        hive::tests::hive_program(), "up", "--port", "0", "--data", data(), "--json"};
    argv.insert(argv.end(), more_.begin(), more_.end());
    server_ = spawn({.argv = std::move(argv), .output = log, .directory = directory_});
    url = std::string{greeting_in(log).at("url").as_string()};
    environment["HIVE_SERVER"] = url;
}

void RunningHive::kill() {
    ::kill(server_, SIGKILL);
    CHECK(wait_for_exit(server_, 20s));
    server_ = -1;
}

RunningHive::~RunningHive() {
    stop();
}

void RunningHive::stop() {
    if (server_ < 0) return;
    ::kill(server_, SIGTERM);
    CHECK(wait_for_exit(server_, 20s));
    server_ = -1;
}

Outcome RunningHive::run_local(std::vector<std::string> args) const {
    args.insert(args.end(), {"--data", data()});
    return run_hive(std::move(args));
}

} // namespace hive::tests
