#include "tests/support/postgres_server.hpp"

#include <fcntl.h>
#include <pwd.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <vector>

extern char** environ;

namespace hive::tests {
namespace {

namespace fs = std::filesystem;

constexpr useconds_t look_every = 10'000; // microseconds; the server has no event to wait for

[[noreturn]] void refuse(const std::string& what) {
    throw std::runtime_error("private PostgreSQL: " + what);
}

std::string read_file(const fs::path& path) {
    std::ifstream in{path};
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

// Starts a program; `input` becomes its stdin and `log` takes what it says.
pid_t spawn(std::vector<std::string> argv, int input, const fs::path& log) {
    std::vector<char*> words;
    for (auto& word : argv) words.push_back(word.data());
    words.push_back(nullptr);
    posix_spawn_file_actions_t actions{};
    posix_spawn_file_actions_init(&actions);
    if (input >= 0) {
        posix_spawn_file_actions_adddup2(&actions, input, 0);
    } else {
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    }
    posix_spawn_file_actions_addopen(&actions, 1, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0666);
    posix_spawn_file_actions_adddup2(&actions, 1, 2);
    posix_spawnattr_t attributes{};
    posix_spawnattr_init(&attributes);
    // A group of its own: Ctrl-C on the test must not reach it before it could clean up.
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    pid_t pid = -1;
    const int error = ::posix_spawnp(&pid, words[0], &actions, &attributes, words.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) refuse("cannot start " + argv.front() + ": " + std::strerror(error));
    return pid;
}

fs::path program(const char* name) {
    for (const auto& version : fs::directory_iterator{"/usr/lib/postgresql"}) {
        const fs::path path = version.path() / "bin" / name;
        if (fs::exists(path)) return path;
    }
    refuse("no server is installed; apt-get install postgresql");
}

std::vector<std::string> as_postgres(std::vector<std::string> argv) {
    if (::geteuid() == 0) {
        const std::array prefix{
            "setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"};
        argv.insert(argv.begin(), prefix.begin(), prefix.end());
    }
    return argv;
}

void run(std::vector<std::string> argv, const fs::path& log) {
    const std::string name = argv.front();
    const pid_t pid = spawn(as_postgres(std::move(argv)), -1, log);
    int status = 0;
    if (::waitpid(pid, &status, 0) != pid || status != 0) {
        refuse(name + " failed:\n" + read_file(log));
    }
}

} // namespace

PostgresServer::PostgresServer() {
    std::string name = (fs::temp_directory_path() / "hive-postgres-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) refuse("no scratch directory");
    directory_ = name;
    start_guardian();
    if (::chown(name.c_str(), user(), static_cast<gid_t>(-1)) != 0) refuse("chown");
    run({program("initdb"), "-D", directory_ / "data", "-A", "trust", "-U", "postgres", "-E",
         "UTF8", "--no-locale"},
        directory_ / "initdb.log");
    std::ofstream{directory_ / "data/postgresql.conf", std::ios::app}
        << "listen_addresses = ''\nunix_socket_directories = '" << directory_.string()
        << "'\nmax_connections = 40\nshared_buffers = 32MB\n"
        // Tests kill the server, not the machine: what it has written is in the files all the same.
        << "fsync = off\n";
    start();
}

PostgresServer::~PostgresServer() {
    if (server_ > 0) {
        ::kill(server_, SIGQUIT);
        ::waitpid(server_, nullptr, 0);
    }
    ::close(guardian_pipe_);
    ::waitpid(guardian_, nullptr, 0);
}

uid_t PostgresServer::user() {
    if (::geteuid() != 0) return ::geteuid();
    const passwd* entry = ::getpwnam("postgres");
    if (entry == nullptr) refuse("there is no user postgres to run it as");
    return entry->pw_uid;
}

void PostgresServer::fail(const std::string& what) const {
    refuse(what + "; its log:\n" + read_file(directory_ / "server.log"));
}

// Waits for the end of this process in a process of its own, which even a crash cannot skip.
void PostgresServer::start_guardian() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) refuse("pipe");
    guardian_pipe_ = ends[1];
    const std::string script = R"(trap '' INT TERM HUP
cat >/dev/null
pid=$(head -n 1 "$0/data/postmaster.pid" 2>/dev/null)
if [ -n "$pid" ]; then
    kill -QUIT "$pid" 2>/dev/null
    for i in $(seq 200); do kill -0 "$pid" 2>/dev/null && sleep 0.05; done
fi
rm -rf "$0")";
    guardian_ = spawn({"sh", "-c", script, directory_}, ends[0], "/dev/null");
    ::close(ends[0]);
}

bool PostgresServer::is_ready() const {
    return read_file(directory_ / "data/postmaster.pid").find("\nready") != std::string::npos;
}

void PostgresServer::start() {
    server_ = spawn(
        as_postgres({program("postgres"), "-D", directory_ / "data"}), -1,
        directory_ / "server.log");
    constexpr int looks_max = 6'000;
    for (int i = 0; i < looks_max; ++i) {
        if (is_ready()) return;
        if (::waitpid(server_, nullptr, WNOHANG) == server_) {
            server_ = -1;
            fail("it ended at once");
        }
        ::usleep(look_every);
    }
    fail("it is not ready in time");
}

void PostgresServer::wait_for_end() {
    constexpr int looks_max = 6'000;
    for (int i = 0; i < looks_max; ++i) {
        if (::waitpid(server_, nullptr, WNOHANG) == server_) {
            server_ = -1;
            return;
        }
        ::usleep(look_every);
    }
    fail("it does not end");
}

void PostgresServer::stop() {
    ::kill(server_, SIGINT); // "fast": it does not wait for its clients
    wait_for_end();
}

void PostgresServer::kill() {
    std::vector<pid_t> all{server_};
    std::ifstream children{
        "/proc/" + std::to_string(server_) + "/task/" + std::to_string(server_) + "/children"};
    for (pid_t child = 0; children >> child;) all.push_back(child);
    for (const pid_t pid : all) ::kill(pid, SIGKILL);
    wait_for_end();
    const auto is_gone = [](pid_t pid) {
        const std::string stat = read_file("/proc/" + std::to_string(pid) + "/stat");
        return stat.empty() || stat.find(") Z") != std::string::npos;
    };
    constexpr int looks_max = 1'000;
    for (int i = 0; i < looks_max && !std::ranges::all_of(all, is_gone); ++i) ::usleep(look_every);
    // Process ids come round: an old one in a lock file may belong to somebody by now.
    fs::remove(directory_ / "data/postmaster.pid");
    fs::remove(directory_ / ".s.PGSQL.5432.lock");
}

std::string PostgresServer::url(std::string_view database) const {
    return "postgresql:///" + std::string{database} + "?host=" + directory_.string() +
           "&user=postgres";
}

std::string PostgresServer::create_database() {
    const std::string name = "hive_" + std::to_string(++databases_);
    sql("postgres", "CREATE DATABASE " + name);
    return url(name);
}

void PostgresServer::sql(std::string_view database, std::string_view statement) {
    run({program("psql"), "-q", "-v", "ON_ERROR_STOP=1", "-d", url(database), "-c",
         std::string{statement}},
        directory_ / "psql.log");
}

} // namespace hive::tests
