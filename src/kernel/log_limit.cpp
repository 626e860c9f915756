#include "kernel/log_limit.hpp"

#include <fmt/format.h>

#include <vector>

namespace hive {

void LogLimit::write(const LogRecord& record) noexcept {
    const Verdict verdict = judge(record);
    if (!verdict.passes) return;
    if (verdict.left_out == 0) {
        next_.write(record);
        return;
    }
    std::vector<LogField> fields{record.fields.begin(), record.fields.end()};
    fields.push_back({"left_out", verdict.left_out});
    LogRecord told = record;
    told.fields = fields;
    next_.write(told);
}

LogLimit::Verdict LogLimit::judge(const LogRecord& record) {
    const std::string phrase =
        fmt::format("{} {} {}", name_of(record.level), record.area, record.message);
    const std::scoped_lock lock{mutex_};
    if (seen_.size() >= phrases_max && !seen_.contains(phrase)) seen_.clear();
    Seen& seen = seen_[phrase];
    if (seen.count == 0 || record.at - seen.since >= allowance_.window) {
        const std::uint64_t left_out =
            seen.count > allowance_.burst ? seen.count - allowance_.burst : 0;
        seen = {record.at, 1};
        return {true, left_out};
    }
    ++seen.count;
    return {seen.count <= allowance_.burst, 0};
}

} // namespace hive
