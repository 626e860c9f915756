#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace hive::tests {

// A PostgreSQL of our own: a unix socket in a scratch directory, no network. It and its files are
// gone when this process ends, however it ends. As root it runs as user postgres, which refuses to
// be root. Everything throws std::runtime_error with the server's log when it does not work.
class PostgresServer {
public:
    PostgresServer(); // ready when it returns
    ~PostgresServer();
    PostgresServer(const PostgresServer&) = delete;
    PostgresServer& operator=(const PostgresServer&) = delete;

    const std::filesystem::path& directory() const { return directory_; } // of its socket, too
    std::string create_database(); // empty and new; returns its URL
    std::string url(std::string_view database) const;

    void start(); // after stop() or kill(), with the data it had
    void stop();  // orderly; open connections are cut
    void kill();  // SIGKILL to every process of the server: what was not on disk is gone

    static uid_t user(); // whom it runs as

    void sql(std::string_view database, std::string_view statement); // as an outsider, by psql

private:
    void start_guardian();
    bool is_ready() const;
    void wait_for_end();
    [[noreturn]] void fail(const std::string& what) const;

    std::filesystem::path directory_;
    int databases_ = 0;
    pid_t server_ = -1;
    pid_t guardian_ = -1;
    int guardian_pipe_ = -1; // the guardian cleans up when this closes
};

} // namespace hive::tests
