#include "cli/fd_log_sink.hpp"

#include "cli/fd_output.hpp"

#include <unistd.h>

namespace hive::cli {

void FdLogSink::write(const LogRecord& record) noexcept {
    std::string line;
    if (style_.format == LogFormat::json) {
        append_json_line(line, record);
    } else {
        append_human(line, record, style_.colors);
    }
    const std::scoped_lock lock{mutex_};
    (void)write_all(fd_, line);
}

FdLogSink::Style log_style(int fd, std::optional<LogFormat> asked, bool colors_allowed) {
    const bool terminal = ::isatty(fd) == 1;
    return {
        .format = asked.value_or(terminal ? LogFormat::human : LogFormat::json),
        .colors = terminal && colors_allowed};
}

} // namespace hive::cli
