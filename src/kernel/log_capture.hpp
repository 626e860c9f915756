#pragma once

#include "kernel/log.hpp"

#include <deque>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace hive {

// Keeps the latest records as human lines, for tests and for a look back after a failure.
class LogCapture final : public LogSink {
public:
    explicit LogCapture(std::size_t lines_max = 1000) : lines_max_{lines_max} {}

    void write(const LogRecord& record) noexcept override;
    std::vector<std::string> lines() const; // without line ends, oldest first
    bool contains(std::string_view text) const;

private:
    std::size_t lines_max_;
    mutable std::mutex mutex_{};
    std::deque<std::string> lines_{};
};

} // namespace hive
