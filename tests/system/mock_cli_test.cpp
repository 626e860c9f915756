#include "kernel/json.hpp"
#include "tests/support/child_process.hpp"
#include "tests/support/places.hpp"
#include "tests/system/cli_process.hpp"
#include "tests/system/http_client.hpp"

#include <doctest/doctest.h>
#include <signal.h>

#include <chrono>
#include <fstream>
#include <sstream>
#include <thread>

using namespace hive;
using namespace hive::tests;
using namespace std::chrono_literals;

namespace {

// `hive mock` with what it printed so far.
class MockProgram {
public:
    explicit MockProgram(const std::vector<std::string>& args) {
        std::vector<std::string> argv{hive::tests::hive_program(), "mock"};
        argv.insert(argv.end(), args.begin(), args.end());
        pid_ = spawn({.argv = std::move(argv), .output = output_});
    }
    ~MockProgram() {
        if (pid_ < 0) return;
        ::kill(pid_, SIGKILL);
        wait_for_exit(pid_, 20s);
    }
    MockProgram(const MockProgram&) = delete;
    MockProgram& operator=(const MockProgram&) = delete;

    std::string printed() const {
        std::ostringstream text;
        text << std::ifstream{output_}.rdbuf();
        return text.str();
    }
    json::value first_line() const {
        const auto deadline = std::chrono::steady_clock::now() + 30s;
        while (printed().find('\n') == std::string::npos) {
            REQUIRE(std::chrono::steady_clock::now() < deadline);
            std::this_thread::sleep_for(10ms);
        }
        const std::string text = printed();
        const auto parsed = parse_json(text.substr(0, text.find('\n')));
        REQUIRE_MESSAGE(parsed.has_value(), text);
        return *parsed;
    }
    void interrupt() {
        ::kill(pid_, SIGINT);
        REQUIRE(wait_for_exit(pid_, 20s));
        pid_ = -1;
    }

private:
    ScratchDirectory scratch_{};
    std::string output_ = scratch_.path("printed");
    pid_t pid_ = -1;
};

std::string address_of(const json::value& url) {
    const std::string text{url.as_string()};
    return text.substr(text.find("//") + 2);
}

} // namespace

TEST_CASE("hive mock says where it listens, serves, and ends with what it saw") {
    const ScratchDirectory scratch;
    const std::string config = scratch.write("mock.yaml", R"(
delay: 1ms
routes:
  - path: /orders
    status: 201
    body: order {count}
)");
    MockProgram mock{
        {"--http", "0", "--tcp", "0:stx-etx", "--json", "--config", config, "--log",
         scratch.path("log")}};
    const json::value told = mock.first_line();
    test::Client http = test::Client::tcp(address_of(told.at("http")));
    CHECK(http.get("/orders").body == "order 1");
    CHECK(http.get("/orders").status == 201);
    CHECK(http.get("/").status == 200);
    CHECK(told.at("tcp").at(0).at("framing") == "stx-etx");
    test::Client tcp =
        test::Client::tcp(std::string{told.at("tcp").at(0).at("address").as_string()});
    tcp.send("\x02hi\x03");
    CHECK(tcp.receive_exactly(4) == "\x02hi\x03");
    mock.interrupt();
    const std::string printed = mock.printed();
    const auto summary = parse_json(
        printed.substr(printed.find('\n') + 1, printed.rfind('\n') - printed.find('\n') - 1));
    REQUIRE_MESSAGE(summary.has_value(), printed);
    CHECK(summary->at("schema") == "hive.mock/1");
    CHECK(summary->at("requests") == 4);
    CHECK(summary->at("byStatus").at("201") == 2);
    std::ifstream log{scratch.path("log")};
    int lines = 0;
    for (std::string line; std::getline(log, line);) ++lines;
    CHECK(lines == 4);
}

TEST_CASE("hive mock ends well when it is asked to, also with words for people") {
    const Outcome run = run_shell(R"sh(
exec 3< <(exec "$HIVE" mock --http 0 --tcp 0:echo --error-ratio 1%)
pid=$!
read -r line <&3; echo "$line"
kill "$pid"; cat <&3; wait "$pid"; echo "exit $?")sh");
    CHECK_MESSAGE(run.out.find("HTTP  http://127.0.0.1:") == 0, run.out);
    CHECK_MESSAGE(run.out.find("(echo)\nStop it with Ctrl-C.\n") != run.out.npos, run.out);
    CHECK_MESSAGE(run.out.find("0 requests, 0 answered, 0 malformed\n") != run.out.npos, run.out);
    CHECK_MESSAGE(run.out.ends_with("exit 0\n"), run.out);
}

TEST_CASE("hive mock refuses what it cannot do, with the place and what to change") {
    const ScratchDirectory scratch;
    const auto refused = [](const std::vector<std::string>& args, int code, std::string_view part) {
        std::vector<std::string> all{"mock"};
        all.insert(all.end(), args.begin(), args.end());
        const Outcome run = run_hive(all);
        CHECK(run.exit_code == code);
        CHECK_MESSAGE(run.err.find(part) != std::string::npos, run.err);
        CHECK(run.out.empty());
    };
    refused({}, 2, "give --http PORT or --tcp PORT");
    refused({"--http", "0", "--delay", "soon"}, 2, "expected a delay like 5ms");
    refused({"--http", "0", "--error-ratio", "2"}, 2, "expected a share like 1%");
    refused({"--tcp", "0:lines"}, 2, "expected PORT or PORT:FRAMING");
    refused({"--http", "0", "--capacity", "5", "--threads", "2"}, 2, "kept by one thread");
    refused({"--http", "0", "--log", "/nowhere/log"}, 3, "cannot write the request log");
    refused({"--http", "0", "--listen", "nowhere.invalid"}, 2, "cannot listen on");
    const std::string config = scratch.write("mock.yaml", "dealy: 1ms\nroutes:\n  - path: x\n");
    refused({"--http", "0", "--config", config}, 2, "mock.yaml:1:1");
    refused({"--http", "0", "--config", config}, 2, "mock.yaml:3:11");
    const MockProgram other{{"--http", "0", "--json"}};
    const std::string address = address_of(other.first_line().at("http"));
    refused({"--http", address.substr(address.find(':') + 1)}, 3, "choose another port");
}
