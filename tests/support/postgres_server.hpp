#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

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

    std::string create_database(); // empty and new; returns its URL
    std::string url(std::string_view database) const;

    void start(); // after stop() or kill(), with the data it had
    void stop();  // orderly; open connections are cut
    void kill();  // SIGKILL to every process of the server: what was not on disk is gone

    void sql(std::string_view database, std::string_view statement); // as an outsider, by psql

private:
    std::string ctl(const std::vector<std::string>& arguments);
    void start_guardian();

    std::filesystem::path directory_;
    int databases_ = 0;
    pid_t guardian_ = -1;
    int guardian_pipe_ = -1; // the guardian cleans up when this closes
};

} // namespace hive::tests
