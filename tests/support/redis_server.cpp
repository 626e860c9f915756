#include "tests/support/redis_server.hpp"

#include "tests/support/child_process.hpp"
#include "tests/support/loopback_port.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

namespace hive::tests {
namespace {

using namespace std::chrono_literals;
namespace fs = std::filesystem;

constexpr auto answer_within = 30s;
constexpr useconds_t look_every = 10'000; // microseconds; the server has no event to wait for

[[noreturn]] void refuse(const std::string& what) {
    throw std::runtime_error("private Redis: " + what);
}

} // namespace

RedisServer::RedisServer(std::string password) : password_{std::move(password)} {
    prepare();
    start();
}

RedisServer::RedisServer(WithTls /*with*/) {
    prepare();
    certificates_ = make_rabbit_certificates(directory_);
    tls_port_ = reserve_loopback_port();
    start();
}

void RedisServer::prepare() {
    std::string name = (fs::temp_directory_path() / "hive-redis-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) refuse("no scratch directory");
    directory_ = name;
    port_ = reserve_loopback_port();
}

RedisServer::~RedisServer() {
    if (server_ > 0) {
        ::kill(server_, SIGKILL);
        ::waitpid(server_, nullptr, 0);
    }
    std::error_code ignored; // a leftover in /tmp is no reason to end the test program
    fs::remove_all(directory_, ignored);
}

void RedisServer::start() {
    std::vector<std::string> argv{
        "setpriv",
        "--pdeathsig",
        "KILL",
        "--", // gone with the test, however that ends
        "redis-server",
        "--port",
        std::to_string(port_),
        "--bind",
        "127.0.0.1",
        "--dir",
        directory_.string(),
        "--appendonly",
        "yes",
        "--appendfsync",
        "always",
        "--save",
        ""};
    if (!password_.empty()) {
        argv.emplace_back("--requirepass");
        argv.push_back(password_);
    }
    if (tls_port_ != 0) {
        const std::initializer_list<std::string> tls{
            "--tls-port",         std::to_string(tls_port_),
            "--tls-cert-file",    certificates_.server.string(),
            "--tls-key-file",     certificates_.server_key.string(),
            "--tls-ca-cert-file", certificates_.ca.string(),
            "--tls-auth-clients", "no"};
        argv.insert(argv.end(), tls);
    }
    server_ = spawn({.argv = std::move(argv), .output = (directory_ / "server.log").string()});
    constexpr int looks_max = 3'000;
    for (int i = 0; i < looks_max; ++i) {
        if (ask({"PING"}) == "PONG") return;
        if (::waitpid(server_, nullptr, WNOHANG) == server_) {
            server_ = -1;
            refuse("it ended at once; apt-get install redis-server");
        }
        ::usleep(look_every);
    }
    refuse("it is not ready in time");
}

void RedisServer::kill() {
    ::kill(server_, SIGKILL);
    ::waitpid(server_, nullptr, 0);
    server_ = -1;
}

std::string RedisServer::ask(std::vector<std::string> command) const {
    std::vector<std::string> argv{"redis-cli", "--no-auth-warning", "-p", std::to_string(port_)};
    argv.insert(argv.end(), command.begin(), command.end());
    Command whole{.argv = std::move(argv)};
    if (!password_.empty()) whole.environment.emplace_back("REDISCLI_AUTH", password_);
    auto said = run(whole, answer_within);
    while (said.output.ends_with('\n')) said.output.pop_back();
    return said.output;
}

} // namespace hive::tests
