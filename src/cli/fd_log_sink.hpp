#pragma once

#include "kernel/log.hpp"
#include "kernel/log_format.hpp"

#include <mutex>

namespace hive::cli {

// Writes each record as one line with one call, so that lines of several threads never mix. A line
// that cannot be written is lost: there is nowhere left to say so.
class FdLogSink final : public LogSink {
public:
    struct Style {
        LogFormat format = LogFormat::human;
        bool colors = false;
    };
    FdLogSink(int fd, Style style) : fd_{fd}, style_{style} {}

    void write(const LogRecord& record) noexcept override;

private:
    int fd_;
    Style style_;
    std::mutex mutex_{};
};

// Human with colours on a terminal, JSON elsewhere, unless a format is asked for.
FdLogSink::Style log_style(int fd, std::optional<LogFormat> asked, bool colors_allowed);

} // namespace hive::cli
