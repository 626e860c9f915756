#pragma once

#include "kernel/json.hpp"
#include "tests/system/cli_process.hpp"

#include <sys/types.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hive::tests {

bool contains(const std::string& text, std::string_view part);
json::object object_in(const std::string& text); // fails the test when it is not one
std::string text_of(const json::object& object, std::string_view name);

// A person with a home directory of their own, and nothing else in the environment.
class Person {
public:
    Outcome run(std::vector<std::string> args) const;
    // What the command prints with --json; fails the test unless it succeeds.
    json::object ask(std::vector<std::string> args) const;
    // Through bash; $HIVE is the program.
    Outcome shell(const std::string& script) const;

    std::string profiles() const { return home.path("config/hive/profiles.json"); }

    ScratchDirectory home{};
    std::map<std::string, std::string> environment{{"XDG_CONFIG_HOME", home.path("config")}};
};

// `hive up` on a free port with a data directory of its own; whoever runs commands through it has
// the key of an administrator, made before the server started.
class RunningHive : public Person {
public:
    // `more`: arguments besides those. `directory`: where it runs; empty: where the test does.
    explicit RunningHive(std::vector<std::string> more = {}, std::string directory = "");
    ~RunningHive();
    RunningHive(const RunningHive&) = delete;
    RunningHive& operator=(const RunningHive&) = delete;

    std::string data() const { return home.path("data"); }
    Outcome run_local(std::vector<std::string> args) const; // with --data
    void start();                                           // again, on the same data
    void stop();
    void kill(); // SIGKILL

    std::string url;
    std::string key;

private:
    std::vector<std::string> more_;
    std::string directory_;
    int starts_ = 0;
    pid_t server_ = -1;
};

} // namespace hive::tests
