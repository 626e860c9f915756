#pragma once

#include "api/http/limits.hpp"
#include "kernel/result.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <unordered_map>

namespace hive::http {

// Which connections may come in. Counts by peer and in total, from any thread.
class Admission {
public:
    // A place in the house; given back when it goes out of scope.
    class [[nodiscard]] Ticket {
    public:
        Ticket() = default;
        Ticket(Ticket&& other) noexcept;
        Ticket& operator=(Ticket&& other) noexcept;
        ~Ticket() { release(); }
        void release() noexcept;

    private:
        friend class Admission;
        Ticket(Admission* house, std::string peer) : house_{house}, peer_{std::move(peer)} {}
        Admission* house_ = nullptr;
        std::string peer_;
    };

    explicit Admission(const Limits& limits) : limits_{limits} {}

    // `peer` groups connections that share a bound; empty for one that has none of its own.
    // Errc::limit when the peer has too many, Errc::unavailable when the house is full.
    Result<Ticket> admit(std::string peer);
    std::size_t count() const;
    bool wait_until_empty(std::chrono::steady_clock::time_point deadline);

private:
    void leave(const std::string& peer) noexcept;

    const Limits& limits_;
    mutable std::mutex mutex_;
    std::condition_variable emptied_;
    std::size_t total_ = 0;
    std::unordered_map<std::string, std::size_t> by_peer_;
};

} // namespace hive::http
