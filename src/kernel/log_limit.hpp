#pragma once

#include "kernel/log.hpp"

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

namespace hive {

// Lets at most `burst` records of the same level, area and message pass per `window`; the first one
// after a pause says how many were left out. A broken peer then cannot drown the log.
class LogLimit final : public LogSink {
public:
    struct Allowance {
        std::uint64_t burst = 10;
        Duration window = std::chrono::seconds{10};
    };
    static constexpr std::size_t phrases_max = 512; // remembered at a time; then all start afresh

    LogLimit(LogSink& next, Allowance allowance) : next_{next}, allowance_{allowance} {}

    void write(const LogRecord& record) noexcept override;

private:
    struct Seen {
        Timestamp since{};
        std::uint64_t count = 0;
    };
    // How many were left out before this one, or that this one is to be left out too.
    struct Verdict {
        bool passes = true;
        std::uint64_t left_out = 0;
    };
    Verdict judge(const LogRecord& record);

    LogSink& next_;
    Allowance allowance_;
    std::mutex mutex_{};
    std::unordered_map<std::string, Seen> seen_{};
};

} // namespace hive
