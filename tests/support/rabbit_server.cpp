#include "tests/support/rabbit_server.hpp"

#include "tests/support/child_process.hpp"
#include "tests/support/loopback_port.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <thread>

namespace hive::tests {
namespace {

using namespace std::chrono_literals;
using SteadyClock = std::chrono::steady_clock;

constexpr auto ready_within = 180s; // 4 s on an idle machine, far more on a busy one
constexpr auto stop_within = 60s;
constexpr auto eval_within = 30s;

sockaddr_in loopback(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
}

bool answers(std::uint16_t port) {
    const int fd = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    auto address = loopback(port);
    const bool connected =
        ::connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0;
    ::close(fd);
    return connected;
}

std::string read_file(const std::filesystem::path& path) {
    std::ifstream in{path};
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

std::string erlang_binary(std::string_view text) {
    return fmt::format("<<\"{}\">>", text);
}

} // namespace

RabbitServer::RabbitServer(Options options) : options_{options} {
    std::string pattern = std::filesystem::temp_directory_path() / "hive-rabbit-XXXXXX";
    if (::mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    directory_ = pattern;
    node_ =
        "t" + std::to_string(::getpid()) + "-" + pattern.substr(pattern.size() - 6) + "@localhost";
    if (options_.tls) certificates_ = make_rabbit_certificates(directory_ / "tls");
    epmd_port_ = reserve_loopback_port();
    dist_port_ = reserve_loopback_port();
    port_ = reserve_loopback_port();
    if (options_.tls) tls_port_ = reserve_loopback_port();
    write_configuration();

    // In the foreground and ours: the one that Erlang would start leaves our process group.
    epmd_ = spawn(
        {.argv = {"epmd", "-port", std::to_string(epmd_port_), "-address", "127.0.0.1"},
         .output = directory_ / "epmd.log"});
    start_guardian();
    try {
        start();
    } catch (...) {
        ::close(guardian_pipe_);
        wait_for_exit(guardian_, 10s);
        throw;
    }
}

RabbitServer::~RabbitServer() {
    ::close(guardian_pipe_);
    wait_for_exit(guardian_, 10s);
    ::waitpid(epmd_, nullptr, 0);
    if (server_ > 0) ::waitpid(server_, nullptr, 0);
}

// A shell that waits for the end of its input, which comes when this process closes the pipe or
// dies, and then removes everything. It leads a session of its own, so Ctrl-C does not reach it.
void RabbitServer::start_guardian() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe failed");
    const std::string script =
        fmt::format("read _; kill -KILL -{}; rm -rf '{}'", epmd_, directory_.string());
    guardian_ = ::fork();
    if (guardian_ < 0) throw std::runtime_error("fork failed");
    if (guardian_ == 0) {
        ::setsid();
        ::dup2(ends[0], 0);
        const int nothing = ::open("/dev/null", O_WRONLY);
        ::dup2(nothing, 1);
        ::dup2(nothing, 2);
        ::execl("/bin/sh", "sh", "-c", script.c_str(), nullptr);
        ::_exit(127);
    }
    ::close(ends[0]);
    guardian_pipe_ = ends[1];
}

void RabbitServer::write_configuration() {
    std::ofstream{directory_ / "plugins"} << "[].\n";
    std::ofstream config{directory_ / "rabbitmq.conf"};
    config << "listeners.tcp.local = 127.0.0.1:" << port_ << "\n"
           << "log.file.level = info\n"
           << "disk_free_limit.absolute = 1MB\n";
    if (!options_.tls) return;
    config << "listeners.ssl.local = 127.0.0.1:" << tls_port_ << "\n"
           << "ssl_options.cacertfile = " << certificates_.ca.string() << "\n"
           << "ssl_options.certfile = " << certificates_.server.string() << "\n"
           << "ssl_options.keyfile = " << certificates_.server_key.string() << "\n";
    if (options_.require_client_certificate) {
        config << "ssl_options.verify = verify_peer\nssl_options.fail_if_no_peer_cert = true\n";
    }
}

std::string RabbitServer::url_for(std::string_view credentials, std::string_view vhost) const {
    return fmt::format("amqp://{}@127.0.0.1:{}/{}", credentials, port_, vhost);
}

std::string RabbitServer::tls_url(std::string_view host, std::string_view query) const {
    return fmt::format("amqps://guest:guest@{}:{}/%2f?{}", host, tls_port_, query);
}

void RabbitServer::launch() {
    const auto in_directory = [&](const char* name) { return (directory_ / name).string(); };
    server_ = spawn(
        {.argv = {"/usr/lib/rabbitmq/bin/rabbitmq-server"},
         .environment =
             {{"HOME", directory_.string()},
              {"ERL_EPMD_PORT", std::to_string(epmd_port_)},
              {"ERL_EPMD_ADDRESS", "127.0.0.1"},
              {"ERL_CRASH_DUMP", in_directory("crash.dump")},
              {"RABBITMQ_NODENAME", node_},
              {"RABBITMQ_DIST_PORT", std::to_string(dist_port_)},
              {"RABBITMQ_MNESIA_BASE", in_directory("data")},
              {"RABBITMQ_LOG_BASE", in_directory("log")},
              {"RABBITMQ_ENABLED_PLUGINS_FILE", in_directory("plugins")},
              {"RABBITMQ_CONFIG_FILE", in_directory("rabbitmq.conf")},
              {"RABBITMQ_PID_FILE", in_directory("pid")},
              {"RABBITMQ_CONF_ENV_FILE", in_directory("none")},
              {"RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS",
               "-kernel inet_dist_use_interface {127,0,0,1}"},
              // Makes the script exec the server instead of watching it, so its pid is ours.
              {"RUNNING_UNDER_SYSTEMD", "true"}},
         .output = in_directory("console.log"),
         .group = epmd_});
}

bool RabbitServer::is_ready() {
    try {
        return answers(port_) && eval("rabbit:is_running().") == "{ok, true}";
    } catch (const std::runtime_error&) {
        return false;
    }
}

void RabbitServer::start() {
    launch();
    const auto deadline = SteadyClock::now() + ready_within;
    while (!is_ready()) {
        if (::waitpid(server_, nullptr, WNOHANG) == server_) {
            server_ = -1;
            fail("RabbitMQ ended while starting");
        }
        if (SteadyClock::now() > deadline) fail("RabbitMQ was not ready in time");
        std::this_thread::sleep_for(50ms);
    }
}

void RabbitServer::stop() {
    ::kill(server_, SIGTERM);
    if (!wait_for_exit(server_, stop_within)) fail("RabbitMQ did not stop in time");
    server_ = -1;
}

void RabbitServer::kill() {
    ::kill(server_, SIGKILL);
    if (!wait_for_exit(server_, stop_within)) fail("RabbitMQ survived SIGKILL");
    server_ = -1;
}

void RabbitServer::freeze() {
    ::kill(server_, SIGSTOP);
    // The signal may take its time: until then it answers.
    const std::string path = "/proc/" + std::to_string(server_) + "/stat";
    for (int i = 0; i < 500; ++i) {
        std::ifstream file{path};
        const std::string stat{std::istreambuf_iterator<char>{file}, {}};
        const auto name_end = stat.rfind(')');
        if (name_end != stat.npos && stat.substr(name_end, 3) == ") T") return;
        std::this_thread::sleep_for(std::chrono::milliseconds{2});
    }
}

void RabbitServer::thaw() {
    ::kill(server_, SIGCONT);
}

std::string RabbitServer::eval(const std::string& expression) {
    const auto cookie = read_file(directory_ / ".erlang.cookie");
    const auto finished =
        run({.argv = {"erl_call", "-sname", node_, "-c", cookie, "-e"},
             .environment = {{"ERL_EPMD_PORT", std::to_string(epmd_port_)}},
             .input = expression + "\n"},
            eval_within);
    if (finished.exit_code != 0 || finished.output.starts_with("{error")) {
        throw std::runtime_error("erl_call: " + finished.output);
    }
    return finished.output;
}

void RabbitServer::close_connections() {
    eval("rabbit_networking:close_connections(rabbit_networking:connections(), \"by a test\").");
}

void RabbitServer::set_alarm() {
    eval("rabbit_alarm:set_alarm({{resource_limit, memory, node()}, []}).");
}

void RabbitServer::clear_alarm() {
    eval("rabbit_alarm:clear_alarm({resource_limit, memory, node()}).");
}

void RabbitServer::add_vhost(std::string_view name) {
    eval(fmt::format("rabbit_vhost:add({}, <<\"test\">>).", erlang_binary(name)));
}

void RabbitServer::add_user(std::string_view name, std::string_view password) {
    eval(fmt::format(
        "rabbit_auth_backend_internal:add_user({}, {}, <<\"test\">>).", erlang_binary(name),
        erlang_binary(password)));
}

void RabbitServer::set_permissions(
    std::string_view user, std::string_view vhost, Permissions permissions) {
    eval(fmt::format(
        "rabbit_auth_backend_internal:set_permissions({}, {}, {}, {}, {}, <<\"test\">>).",
        erlang_binary(user), erlang_binary(vhost), erlang_binary(permissions.configure),
        erlang_binary(permissions.write), erlang_binary(permissions.read)));
}

void RabbitServer::fail(const std::string& what) {
    throw std::runtime_error(what + "\n" + read_file(directory_ / "console.log"));
}

} // namespace hive::tests
