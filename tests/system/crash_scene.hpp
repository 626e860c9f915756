#pragma once

#include "audit/ledger_verifier.hpp"
#include "kernel/id.hpp"
#include "store/database.hpp"

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

namespace hive::test {

extern const HiveId main_hive;

// Where the hive's data is: SQLite in a directory, or PostgreSQL by URL.
struct Place {
    std::string directory;
    std::string url{};
    std::vector<std::string> more{}; // arguments of the server besides
    std::string deia{};              // files to keep in step

    std::unique_ptr<store::Database> open() const;
};

std::string make_admin_key(const Place& place);
audit::TrustedKey trusted_key(const Place& place);

// `hive serve` of the real binary, to be killed.
class ServerProcess {
public:
    enum class Until : std::uint8_t { ready, spawned };
    ServerProcess(const Place& place, const std::string& output, Until until = Until::ready);
    ~ServerProcess();
    ServerProcess(const ServerProcess&) = delete;
    ServerProcess& operator=(const ServerProcess&) = delete;

    const std::string& address() const { return address_; }
    void kill(int signal);

private:
    std::string await_address() const;

    std::string output_;
    pid_t pid_ = 0;
    std::string address_;
};

} // namespace hive::test
