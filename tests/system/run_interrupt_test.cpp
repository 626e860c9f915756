#include "tests/support/child_process.hpp"
#include "tests/support/places.hpp"
#include "tests/support/rabbit_server.hpp"
#include "tests/system/run_scene.hpp"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <csignal>
#include <filesystem>

using namespace hive;
using namespace hive::test;
using namespace std::chrono_literals;

namespace {

// Takes connections and says nothing, as a broker does behind a firewall that swallows packets.
class SilentServer {
public:
    SilentServer() : socket_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)} {
        sockaddr_in any{};
        any.sin_family = AF_INET;
        any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        REQUIRE(::bind(socket_, reinterpret_cast<sockaddr*>(&any), sizeof any) == 0);
        REQUIRE(::listen(socket_, 8) == 0);
        socklen_t size = sizeof any;
        ::getsockname(socket_, reinterpret_cast<sockaddr*>(&any), &size);
        port_ = ntohs(any.sin_port);
    }
    ~SilentServer() { ::close(socket_); }
    SilentServer(const SilentServer&) = delete;
    SilentServer& operator=(const SilentServer&) = delete;

    std::uint16_t port() const { return port_; }
    bool until_somebody_came() const {
        pollfd came{.fd = socket_, .events = POLLIN, .revents = 0};
        return ::poll(&came, 1, 30'000) == 1;
    }

private:
    int socket_;
    std::uint16_t port_ = 0;
};

// A run in a process of its own, which is sent signals.
struct Interrupted {
    tests::ScratchDirectory files{};
    pid_t pid = -1;

    void start(std::vector<std::string> args) {
        args.insert(args.begin(), {hive::tests::hive_program(), "run"});
        pid = tests::spawn({.argv = std::move(args), .output = files.path("out")});
    }
    void interrupt() const { ::kill(pid, SIGINT); }
    std::string out() const { return RunScene::text_of(files.path("out")); }
    // Of the process; -1 when it has not ended in time.
    int exit_code(Duration within) const {
        const auto deadline = std::chrono::steady_clock::now() + within;
        for (;;) {
            int status = 0;
            if (::waitpid(pid, &status, WNOHANG) == pid) {
                return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            }
            if (std::chrono::steady_clock::now() > deadline) {
                ::kill(pid, SIGKILL);
                ::waitpid(pid, &status, 0);
                return -1;
            }
            ::poll(nullptr, 0, 5);
        }
    }
};

// The processes that it has started, once there are any.
std::vector<pid_t> children_of(pid_t pid) {
    const auto deadline = std::chrono::steady_clock::now() + 30s;
    while (std::chrono::steady_clock::now() < deadline) {
        std::vector<pid_t> children;
        std::error_code gone;
        const auto threads = fmt::format("/proc/{}/task", pid);
        for (const auto& thread : std::filesystem::directory_iterator{threads, gone}) {
            std::ifstream list{thread.path() / "children"};
            for (pid_t child = 0; list >> child;) children.push_back(child);
        }
        if (!children.empty()) return children;
        ::poll(nullptr, 0, 2);
    }
    return {};
}

} // namespace

TEST_SUITE("hive run") {
    TEST_CASE("an interrupt is heard while the broker is waited for") {
        const SilentServer broker;
        Interrupted run;
        run.start(
            {"http://127.0.0.1:1/", "--rate", "1", "--broker",
             fmt::format("amqp://guest:guest@127.0.0.1:{}/", broker.port())});
        REQUIRE(broker.until_somebody_came());
        run.interrupt();
        CHECK(run.exit_code(3s) == 130);
        CHECK_MESSAGE(
            run.out().find("interrupted before the run began") != std::string::npos, run.out());
    }

    TEST_CASE("an interrupt while a swarm starts gives up, removes it and reports") {
        const tests::RabbitServer broker;
        const RunScene scene;
        Interrupted run;
        run.start(
            {scene.url(), "--rate", "10", "--duration", "10m", "--broker", broker.url(),
             "--summary", run.files.path("s.json")});
        REQUIRE(!children_of(run.pid).empty());
        run.interrupt();
        CHECK(run.exit_code(60s) == 130);
        const auto out = run.out();
        CHECK_MESSAGE(out.find("interrupted") != std::string::npos, out);
        CHECK(out.find("could not be removed") == std::string::npos);
        CHECK(
            RunScene::text_of(run.files.path("s.json")).find("hive.summary/1") !=
            std::string::npos);
    }

    TEST_CASE("a second interrupt leaves at once, whatever does not answer") {
        const tests::RabbitServer broker;
        Interrupted run;
        run.start(
            {"http://127.0.0.1:1/", "--rate", "10", "--broker", broker.url(), "--swarm", "stuck"});
        const auto children = children_of(run.pid);
        REQUIRE(!children.empty());
        for (const pid_t child : children) ::kill(child, SIGSTOP); // its marshal says no more
        run.interrupt();
        // That it has been heard shows in nothing but this: a signal that waits is not sent twice.
        const auto pending = [&] {
            std::ifstream status{fmt::format("/proc/{}/status", run.pid)};
            for (std::string line; std::getline(status, line);) {
                if (line.starts_with("ShdPnd:"))
                    return line.find_first_of("123456789abcdef", 7) != line.npos;
            }
            return false;
        };
        const auto deadline = std::chrono::steady_clock::now() + 30s;
        while (pending() && std::chrono::steady_clock::now() < deadline) ::poll(nullptr, 0, 2);
        run.interrupt();
        CHECK(run.exit_code(5s) == 130);
        CHECK_MESSAGE(
            run.out().find("could not be removed: interrupted") != std::string::npos, run.out());
        for (const pid_t child : children) ::kill(child, SIGKILL);
    }
}
