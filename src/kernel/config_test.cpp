#include "kernel/config_load.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace hive;
using namespace std::chrono_literals;

namespace {

enum class Color : std::uint8_t { red, green };
constexpr std::array<Named<Color>, 2> color_names{{{"red", Color::red}, {"green", Color::green}}};
std::span<const Named<Color>> names_of(Color) {
    return color_names;
}

struct Settings {
    std::uint16_t port = 8080;
    bool verbose = false;
    double ratio = 0.5;
    std::string name = "queen";
    Color color = Color::red;
    Duration wait = 5s;
    ByteSize room{64U << 20U};
    Address peer{"localhost", 5672};
    std::optional<Url> broker;
    FilePath log{"hive.log"};
    Secret password;
    std::vector<int> weights;
    std::map<std::string, std::string> labels;
};

OptionTable table_of(Settings& s) {
    OptionTable table;
    table.add("http.port", s.port).flag("port").letter('p').range(1, 65535).help("the port");
    table.add("verbose", s.verbose).help("say more");
    table.add("load.ratio", s.ratio).range(0, 1);
    table.add("name", s.name).check([](const std::string& name) -> Status {
        if (name.size() > 8) return fail(Errc::invalid, "at most 8 characters are allowed");
        return {};
    });
    table.add("color", s.color);
    table.add("wait", s.wait);
    table.add("room", s.room);
    table.add("peer", s.peer);
    table.add("broker.url", s.broker).env("POCKETHIVE_BROKER");
    table.add("log.file", s.log);
    table.add("broker.password", s.password);
    table.add("weights", s.weights).range(0, 100);
    table.add("labels", s.labels);
    return table;
}

struct Loaded {
    Settings settings{};
    OptionTable table = table_of(settings);
    std::vector<Finding> findings{};

    Loaded() = default;
    Loaded(const Loaded&) = delete;
    void load(const ConfigSources& sources) { findings = load_config(table, sources); }
    void load(std::string_view yaml) { load({.file = SourceText{"hive.yaml", yaml}}); }
    std::string where(std::string_view key) const { return table.find_key(key)->source.where; }
};

ConfigSources with_env(std::map<std::string, std::string> env) {
    return {.env = [env = std::move(env)](const std::string& name) -> std::optional<std::string> {
        const auto found = env.find(name);
        return found == env.end() ? std::nullopt : std::optional{found->second};
    }};
}

} // namespace

TEST_CASE("each type is read from a file") {
    Loaded hive;
    hive.load("http: {port: 9000}\nverbose: yes\nload: {ratio: 0.25}\nname: drone\ncolor: green\n"
              "wait: PT1M\nroom: 1GiB\npeer: \"[::1]:80\"\nlog: {file: /tmp/x}\n"
              "broker: {url: 'amqp://u:p@host:1/v', password: hunter2}\n"
              "weights: [1, 2]\nlabels: {a: x, b: y}\n");
    CHECK(hive.findings.empty());
    const Settings& s = hive.settings;
    CHECK(s.port == 9000);
    CHECK(s.verbose);
    CHECK(s.ratio == 0.25);
    CHECK(s.name == "drone");
    CHECK(s.color == Color::green);
    CHECK(s.wait == 1min);
    CHECK(s.room.bytes == 1U << 30U);
    CHECK(s.peer == Address{"::1", 80});
    CHECK(s.broker->host() == "host");
    CHECK(s.log.text == "/tmp/x");
    CHECK(s.password.reveal() == "hunter2");
    CHECK(s.weights == std::vector{1, 2});
    CHECK(s.labels.at("b") == "y");
}

TEST_CASE("a flag beats the environment, which beats the file, which beats the default") {
    Loaded hive;
    auto sources = with_env({{"HIVE_HTTP_PORT", "3"}, {"HIVE_NAME", "env"}});
    sources.file = SourceText{"hive.yaml", "http:\n  port: 2\nname: file\nwait: 9s\n"};
    sources.flags = {{.flag = "port", .text = "4", .spelled = "-p"}};
    hive.load(sources);
    CHECK(hive.findings.empty());
    CHECK(hive.settings.port == 4);
    CHECK(hive.settings.name == "env");
    CHECK(hive.settings.wait == 9s);
    CHECK(hive.settings.ratio == 0.5);
    CHECK(hive.where("http.port") == "-p");
    CHECK(hive.where("name") == "HIVE_NAME");
    CHECK(hive.where("wait") == "hive.yaml:4:7");
    CHECK(hive.where("load.ratio") == "default");
}

TEST_CASE("environment names are derived or given, lists are split, an empty one is not set") {
    Loaded hive;
    hive.load(with_env(
        {{"POCKETHIVE_BROKER", "amqp://h"},
         {"HIVE_WEIGHTS", "1,2,3"},
         {"HIVE_LABELS", "a=1,b=2"},
         {"HIVE_NAME", ""}}));
    CHECK(hive.findings.empty());
    CHECK(hive.settings.broker->scheme() == "amqp");
    CHECK(hive.settings.weights == std::vector{1, 2, 3});
    CHECK(hive.settings.labels.at("b") == "2");
    CHECK(hive.settings.name == "queen");
}

TEST_CASE("repeated flags fill lists and maps; a comma stays part of the value") {
    Loaded hive;
    hive.load(
        {.flags = {
             {.flag = "labels", .text = "accept=a,b", .spelled = "--labels"},
             {.flag = "labels", .text = "x=1=2", .spelled = "--labels"}}});
    CHECK(hive.findings.empty());
    CHECK(hive.settings.labels.at("accept") == "a,b");
    CHECK(hive.settings.labels.at("x") == "1=2");
    hive.load({.flags = {{.flag = "labels", .text = "novalue", .spelled = "--labels"}}});
    REQUIRE(hive.findings.size() == 1);
    CHECK(hive.findings[0].message == "--labels is 'novalue'; expected NAME=VALUE");
    hive.load(
        {.flags = {
             {.flag = "port", .text = "1", .spelled = "--port"},
             {.flag = "port", .text = "2", .spelled = "--port"}}});
    REQUIRE(hive.findings.size() == 1);
    CHECK(hive.findings[0].code == "repeated");
}

TEST_CASE("every value says what it is and where it came from, secrets masked") {
    Loaded hive;
    hive.load("broker: {url: 'amqp://u:hunter2@host', password: hunter2}\nweights: [1, 2]\n");
    std::string all;
    for (const auto& [name, value, where] : explain(hive.table)) {
        all += name + '=' + value + '@' + where + '\n';
    }
    CHECK(all.find("hunter2") == std::string::npos);
    CHECK(all.find("broker.url=amqp://u:***@host@hive.yaml:1:15\n") != std::string::npos);
    CHECK(all.find("broker.password=***@hive.yaml:1:") != std::string::npos);
    CHECK(all.find("http.port=8080@default\n") != std::string::npos);
    CHECK(all.find("weights=1,2@") != std::string::npos);
}

TEST_CASE("defaults are shown as they would be written") {
    Settings settings;
    const auto table = table_of(settings);
    const auto text = [&](std::string_view key) { return table.find_key(key)->info.default_text; };
    CHECK(text("wait") == "5s");
    CHECK(text("room") == "64MiB");
    CHECK(text("peer") == "localhost:5672");
    CHECK(text("color") == "red");
    CHECK(text("broker.url").empty());
    CHECK(text("broker.password").empty());
    CHECK(table.find_flag("load-ratio") != nullptr);
    CHECK(table.find_letter('p')->info.flag == "port");
    CHECK(table.find_key("color")->info.choices == std::vector<std::string>{"red", "green"});
}

TEST_CASE("a required value that is missing says how to give it") {
    std::string server;
    OptionTable table;
    table.add("server", server).required();
    const auto findings = load_config(table, {});
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].message == "server is missing");
    CHECK(findings[0].hint == "give --server, set HIVE_SERVER, or put server into the config file");
    auto sources = with_env({{"HIVE_SERVER", "x"}});
    CHECK(load_config(table, sources).empty());
}

TEST_CASE("positionals are read in order and the last list takes the rest") {
    std::string command;
    std::vector<std::string> rest;
    OptionTable table;
    table.add_positional("COMMAND", command).required();
    table.add_positional("ARG", rest);
    CHECK(load_config(table, {.positionals = {"help", "a", "b"}}).empty());
    CHECK(command == "help");
    CHECK(rest == std::vector<std::string>{"a", "b"});
    CHECK(load_config(table, {}).front().message == "COMMAND is missing");

    OptionTable single;
    single.add_positional("COMMAND", command);
    const auto findings = load_config(single, {.positionals = {"help", "more\n"}});
    REQUIRE(findings.size() == 1);
    CHECK(findings[0].message == "unexpected argument 'more\\n'");
}
