#include "kernel/config_load.hpp"

#include <doctest/doctest.h>

using namespace hive;

namespace {

struct Settings {
    std::uint16_t port = 8080;
    std::string listen = "127.0.0.1";
    bool tls = false;
    Duration wait{};
    Secret password;
    std::optional<Url> broker;
    std::vector<int> weights;
    std::map<std::string, int> limits;
};

struct Loaded {
    Settings settings{};
    OptionTable table{};
    std::vector<Finding> findings{};

    explicit Loaded(std::string_view yaml) {
        table.add("http.port", settings.port).range(1, 65535);
        table.add("http.listen", settings.listen);
        table.add("http.tls.enabled", settings.tls);
        table.add("wait", settings.wait);
        table.add("broker.password", settings.password);
        table.add("broker.url", settings.broker);
        table.add("weights", settings.weights);
        table.add("limits", settings.limits);
        findings = load_config(table, {.file = SourceText{"hive.yaml", yaml}});
    }
    Loaded(const Loaded&) = delete;
};

Finding only_finding(std::string_view yaml) {
    const Loaded loaded{yaml};
    REQUIRE_MESSAGE(loaded.findings.size() == 1, yaml);
    return loaded.findings.front();
}

} // namespace

TEST_CASE("all problems of a file come at once, each with its place") {
    const Loaded loaded{"http:\n  port: 99999\n  prot: 1\n  tls: {enabled: maybe}\nwait: soon\n"
                        "weights: [1, two, 3, four]\nwait: 5s\n"};
    std::vector<std::string> seen;
    for (const Finding& f : loaded.findings) {
        seen.push_back(fmt::format("{}:{} {}", f.at.line, f.at.column, f.message));
    }
    CHECK(
        seen == std::vector<std::string>{
                    "7:1 'wait' is already set at line 5",
                    "2:9 http.port is '99999'; expected an integer of at least 0 from 1 to 65535",
                    "3:3 unknown key 'http.prot'",
                    "4:18 http.tls.enabled is 'maybe'; expected true or false",
                    "5:7 wait is 'soon'; expected a duration like 250ms, 5s, 2m, 1h or PT15S",
                    "6:14 weights is 'two'; expected an integer",
                    "6:22 weights is 'four'; expected an integer"});
    CHECK(loaded.settings.port == 8080);
    CHECK(loaded.settings.weights.empty());
}

TEST_CASE("an unknown key is answered with the nearest known one") {
    CHECK(only_finding("http: {prot: 1}").hint == "did you mean 'http.port'?");
    CHECK(only_finding("htpp: {port: 1}").hint == "did you mean 'http'?");
    CHECK(only_finding("port: 1").hint == "did you mean 'http.port'?");
    CHECK(only_finding("zebra: 1").hint.empty());
}

TEST_CASE("a value of the wrong shape says what is there and what is expected") {
    CHECK(only_finding("http: 8080").message == "http is a single value; expected a section");
    CHECK(only_finding("http: 8080").hint == "keys there: port, listen, tls");
    CHECK(
        only_finding("wait: [5s]").message ==
        "wait is a list; expected a duration like 250ms, 5s, 2m, 1h or PT15S");
    CHECK(only_finding("weights: 5").message == "weights is '5'; expected a list like [a, b]");
    CHECK(only_finding("limits: {a: {}}").message == "limits is a section; expected an integer");
    CHECK(only_finding("limits: [1]").code == "wrong-type");
    CHECK(only_finding("weights: {a: 1}").code == "wrong-type");
    CHECK(only_finding("- a\n").message == "the file is a list; expected sections like 'http:'");
    CHECK(only_finding("wait:\n").code == "no-value");
    CHECK(only_finding("wait: ''\n").code == "bad-value");
}

TEST_CASE("empty files and empty sections set nothing and are fine") {
    for (const char* yaml : {"", "\n", "# nothing\n", "---\n", "http:\n", "http: {}\n"}) {
        CHECK_MESSAGE(Loaded{yaml}.findings.empty(), yaml);
    }
}

TEST_CASE("a dotted key is the same key, so setting it twice is found") {
    CHECK(Loaded{"http.port: 90\n"}.settings.port == 90);
    const Finding finding = only_finding("http.port: 90\nhttp: {port: 91}\n");
    CHECK(finding.message == "http.port is already set at hive.yaml:1:12");
}

TEST_CASE("no secret appears in a finding or under it") {
    for (const char* yaml :
         {"broker: {password: {env: hunter2}}", "broker: {pasword: hunter2}",
          "broker:\n  password: 'x hunter2 {env:NOPE}'", "broker: {url: 'hunter2'}",
          "broker: {url: 'amqp://u:hunter2@/'}", "broker: {password: \"hunter2",
          "broker: {url: 'amqp://u:hunter2@h:99999'}",
          "broker: {password: hunter2, password: hunter2}"}) {
        const Loaded loaded{yaml};
        REQUIRE_MESSAGE(!loaded.findings.empty(), yaml);
        const SourceText source{"hive.yaml", yaml};
        const std::string shown = render(loaded.findings, {&source, 1});
        CHECK_MESSAGE(shown.find("hunter2") == std::string::npos, shown);
        CHECK(to_text(to_json(loaded.findings)).find("hunter2") == std::string::npos);
    }
}

TEST_CASE("hostile values are shortened and made printable") {
    const Finding finding =
        only_finding("http: {port: \"" + std::string(100'000, 'x') + "\\e[31m\"}");
    CHECK(finding.message.size() < 200);
    CHECK(only_finding("wait: \"\\e[31m\"").message.find('\x1b') == std::string::npos);
}

TEST_CASE("a value that a later source overrides is still checked") {
    Settings settings;
    OptionTable table;
    table.add("http.port", settings.port);
    const auto findings = load_config(
        table, {.file = SourceText{"hive.yaml", "http: {port: x}"},
                .flags = {{.flag = "http-port", .text = "7", .spelled = "--http-port"}}});
    CHECK(findings.size() == 1);
    CHECK(settings.port == 7);
}

TEST_CASE("numbers, sizes, addresses and urls that are nearly right are refused") {
    for (const char* text : {"", "-1", "70000", "8080 ", "0x50", "1e3", "８"}) {
        CHECK_MESSAGE(!ConfigType<std::uint16_t>::parse(text), text);
    }
    CHECK_FALSE(ConfigType<double>::parse("nan"));
    CHECK_FALSE(ConfigType<double>::parse("1,5"));
    for (const char* text : {"", "MiB", "1QB", "-1", "1.5", "99999999999999TB", "1 MB"}) {
        CHECK_MESSAGE(!parse_byte_size(text), text);
    }
    CHECK(parse_byte_size("1.5KiB")->bytes == 1536);
    CHECK(format_byte_size({1536}) == "1536B");
    CHECK(format_byte_size({0}) == "0B");
    for (const char* text : {"", "host", ":80", "host:", "host:x", "[::1:80", "a b:1", "h:1:2"}) {
        CHECK_MESSAGE(!parse_address(text), text);
    }
    CHECK(format_address({"::1", 80}) == "[::1]:80");
    for (const char* text :
         {"", "host", "://h", "a://", "a://:1", "a b://h", "a://h h", "a://h:x"}) {
        CHECK_MESSAGE(!Url::parse(text), text);
    }
    const auto url = Url::parse("AMQPS://u:p@[::1]:5671/v?password=x");
    CHECK(url->scheme() == "amqps");
    CHECK(url->host() == "::1");
    CHECK(url->port() == 5671);
    CHECK(url->shown() == "AMQPS://u:***@[::1]:5671/v?***");
}
