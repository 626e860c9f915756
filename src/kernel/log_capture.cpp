#include "kernel/log_capture.hpp"

#include "kernel/log_format.hpp"

#include <algorithm>

namespace hive {

void LogCapture::write(const LogRecord& record) noexcept {
    std::string line;
    append_human(line, record, false);
    line.pop_back();
    const std::scoped_lock lock{mutex_};
    lines_.push_back(std::move(line));
    if (lines_.size() > lines_max_) lines_.pop_front();
}

std::vector<std::string> LogCapture::lines() const {
    const std::scoped_lock lock{mutex_};
    return {lines_.begin(), lines_.end()};
}

bool LogCapture::contains(std::string_view text) const {
    const std::scoped_lock lock{mutex_};
    return std::ranges::any_of(
        lines_, [&](const std::string& line) { return line.find(text) != line.npos; });
}

} // namespace hive
