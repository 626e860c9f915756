#include "kernel/json.hpp"
#include "tests/support/loopback_port.hpp"
#include "tests/support/rabbit_server.hpp"
#include "tests/system/cli_process.hpp"

#include <arpa/inet.h>
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using namespace hive;
using namespace hive::tests;

namespace {

// Holds a port of 127.0.0.1: listening, or bound without listening so that connecting is refused.
class HeldPort {
public:
    explicit HeldPort(bool listening) : socket_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof(address);
        auto* generic = reinterpret_cast<sockaddr*>(&address);
        REQUIRE(::bind(socket_, generic, size) == 0);
        if (listening) REQUIRE(::listen(socket_, 1) == 0);
        REQUIRE(::getsockname(socket_, generic, &size) == 0);
        port_ = ntohs(address.sin_port);
    }
    ~HeldPort() { ::close(socket_); }
    HeldPort(const HeldPort&) = delete;
    HeldPort& operator=(const HeldPort&) = delete;
    std::string text() const { return std::to_string(port_); }

private:
    int socket_;
    std::uint16_t port_ = 0;
};

// Settings that pass on any machine, whatever else runs there.
struct Doctor {
    ScratchDirectory scratch{};
    Outcome run(std::vector<std::string> more) const {
        std::vector<std::string> args{"doctor", "--data", scratch.path("data")};
        args.insert(args.end(), more.begin(), more.end());
        return run_hive(args);
    }
};

json::object check_of(const Outcome& run, std::string_view name) {
    const auto report = parse_json(run.out.substr(0, run.out.size() - 1));
    REQUIRE_MESSAGE(report.has_value(), run.out);
    for (const auto& check : report->at("checks").as_array()) {
        if (check.at("name").as_string() == name) return check.as_object();
    }
    FAIL("no check called " << name);
    return {};
}

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

std::string free_port() {
    return std::to_string(reserve_loopback_port());
}

} // namespace

TEST_CASE("a healthy machine gets a report and exit code 0, for people and for scripts") {
    const Doctor doctor;
    const auto port = free_port();
    const auto people = doctor.run({"--port", port});
    CHECK(people.exit_code == 0);
    CHECK(contains(people.out, fmt::format("✓ port             127.0.0.1:{} is free", port)));
    CHECK_FALSE(contains(people.out, "\x1b")); // no colours without a terminal
    const auto scripts = doctor.run({"--port", port, "--json"});
    CHECK(scripts.exit_code == 0);
    CHECK(check_of(scripts, "port")["health"].as_string() == "good");
    CHECK(check_of(scripts, "data")["health"].as_string() == "good");
    CHECK(contains(scripts.out, "\"healthy\":true"));
}

TEST_CASE("a broken config file names every problem with its place, and exit code 2") {
    const Doctor doctor;
    const auto file = doctor.scratch.write(
        "hive.yaml",
        "http:\n  port: eighty\n  lsten: 0.0.0.0\nbroker:\n  url: amqp://bee:hunter2@\n"
        "log: loud\nlog: {level: info}\n");
    const auto run = doctor.run({"--config", file, "--port", free_port()});
    CHECK(run.exit_code == 2);
    CHECK(contains(run.err, file + ":2:9: error: http.port is 'eighty'; expected an integer"));
    CHECK(contains(run.err, file + ":3:3: error: unknown key 'http.lsten'"));
    CHECK(contains(run.err, "did you mean 'http.listen'?"));
    CHECK(contains(run.err, file + ":5:8: error: broker.url is ***; expected a URL like amqp://"));
    CHECK(contains(run.err, file + ":6:6: error: log is a single value; expected a section"));
    CHECK(contains(run.err, file + ":7:1: error: 'log' is already set at line 6"));
    CHECK(contains(run.err, "    2 |   port: eighty\n      |         ^\n"));
    CHECK(contains(run.out, "has 5 problems"));
    CHECK_FALSE(contains(run.out + run.err, "hunter2"));
    const auto scripts = doctor.run({"--config", file, "--json"});
    CHECK(scripts.exit_code == 2);
    CHECK(contains(scripts.out, R"("code":"unknown-key")"));
    CHECK(scripts.err.empty());
}

TEST_CASE("a config file that is not there is one sentence and exit code 2") {
    const Doctor doctor;
    const auto run = doctor.run({"--config", "/nowhere/hive.yaml", "--port", free_port()});
    CHECK(run.exit_code == 2);
    CHECK(run.err == "/nowhere/hive.yaml: error: cannot be read: No such file or directory\n");
}

TEST_CASE("settings say where they come from, secrets masked") {
    const Doctor doctor;
    const auto file = doctor.scratch.write("hive.yaml", "log:\n  level: warn\n");
    const auto run = run_hive(
        {"doctor", "--config", file, "--explain", "--port", free_port(), "--data",
         doctor.scratch.path(), "--timeout", "100ms"},
        {{"HIVE_BROKER_URL", "amqp://bee:{env:PW}@127.0.0.1:1/"}, {"PW", "hunter2"}});
    CHECK(contains(run.out, "amqp://bee:***@127.0.0.1:1/"));
    CHECK(contains(run.out, "HIVE_BROKER_URL\n"));
    CHECK(contains(run.out, file + ":2:10\n"));
    CHECK_FALSE(contains(run.out + run.err, "hunter2"));
}

TEST_CASE("a port in use is one clear sentence and exit code 3") {
    const Doctor doctor;
    const HeldPort held{true};
    const auto run = doctor.run({"--port", held.text(), "--json"});
    CHECK(run.exit_code == 3);
    const auto check = check_of(run, "port");
    CHECK(check.at("health").as_string() == "missing");
    CHECK(
        check.at("message").as_string() ==
        fmt::format("127.0.0.1:{} is in use by another program", held.text()));
    CHECK_FALSE(check.at("remedy").as_string().empty());
}

TEST_CASE("an address that is not ours, or none at all, is told apart") {
    const Doctor doctor;
    const auto elsewhere = doctor.run({"--listen", "192.0.2.1", "--json"});
    CHECK(elsewhere.exit_code == 3);
    CHECK(contains(elsewhere.out, "is not an address of this machine"));
    const auto nonsense = doctor.run({"--listen", "no such", "--json"});
    CHECK(nonsense.exit_code == 2);
}

TEST_CASE("a data directory that cannot be written is one clear sentence and exit code 3") {
    // These fail for root as well, whom permission bits do not stop.
    const ScratchDirectory scratch;
    const auto file = scratch.write("file", "");
    for (const std::string& path : {file, file + "/below", std::string{"/proc/hive"}}) {
        const auto run = run_hive({"doctor", "--port", free_port(), "--data", path, "--json"});
        CHECK_MESSAGE(run.exit_code == 3, path);
        const auto check = check_of(run, "data");
        CHECK(check.at("health").as_string() == "missing");
        CHECK(contains(std::string{check.at("message").as_string()}, path));
    }
}

TEST_CASE("looking at a data directory leaves nothing behind") {
    const Doctor doctor;
    REQUIRE(doctor.run({"--port", free_port()}).exit_code == 0);
    CHECK(std::filesystem::is_empty(doctor.scratch.path()));
}

TEST_CASE("a broker that is not there is one clear sentence and exit code 3") {
    const Doctor doctor;
    const HeldPort silent{false};
    const auto url = fmt::format("amqp://bee:hunter2@127.0.0.1:{}/", silent.text());
    const auto run = doctor.run({"--port", free_port(), "--broker", url, "--json"});
    CHECK(run.exit_code == 3);
    const auto check = check_of(run, "broker");
    CHECK(check.at("health").as_string() == "missing");
    CHECK(contains(std::string{check.at("message").as_string()}, "refused"));
    CHECK_FALSE(contains(run.out + run.err, "hunter2"));
}

TEST_CASE("a broker that accepts the connection and then stays silent is given up on") {
    const Doctor doctor;
    const HeldPort silent{true};
    const auto url = fmt::format("amqp://127.0.0.1:{}/", silent.text());
    const auto run =
        doctor.run({"--port", free_port(), "--broker", url, "--timeout", "300ms", "--json"});
    CHECK(run.exit_code == 3);
    CHECK(check_of(run, "broker").at("health").as_string() == "missing");
}

TEST_CASE("a real broker is logged in to, and a wrong password is told") {
    const RabbitServer server;
    const Doctor doctor;
    const auto good = doctor.run({"--port", free_port(), "--broker", server.url(), "--json"});
    CHECK_MESSAGE(good.exit_code == 0, good.out);
    CHECK(check_of(good, "broker").at("health").as_string() == "good");
    const auto wrong = doctor.run(
        {"--port", free_port(), "--broker", server.url_for("guest:hunter2", "%2f"), "--json"});
    CHECK(wrong.exit_code == 3);
    CHECK(check_of(wrong, "broker").at("health").as_string() == "missing");
    CHECK_FALSE(contains(wrong.out + wrong.err, "hunter2"));
}

TEST_CASE("a store that is not there is one clear sentence and exit code 3") {
    const Doctor doctor;
    const HeldPort silent{false};
    const auto url = fmt::format("postgres://bee:hunter2@127.0.0.1:{}/hive", silent.text());
    const auto run = doctor.run({"--port", free_port(), "--store", url, "--json"});
    CHECK(run.exit_code == 3);
    const auto message = std::string{check_of(run, "store").at("message").as_string()};
    CHECK(contains(message, "refused"));
    CHECK_FALSE(contains(message, "\n"));
    CHECK_FALSE(contains(run.out + run.err, "hunter2"));
}

TEST_CASE("log lines of the checks go to standard error at the asked level and format") {
    const Doctor doctor;
    const auto run = doctor.run(
        {"--port", free_port(), "--log-level", "debug", "--log-format", "json", "--json"});
    CHECK(contains(run.err, R"("area":"doctor","message":"checked","fields":{"what":"port")"));
    CHECK_FALSE(contains(run.out, "checked"));
}
