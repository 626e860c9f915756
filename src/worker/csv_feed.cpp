#include "worker/csv_feed.hpp"

#include "worker/job.hpp"

#include <fmt/format.h>

namespace hive::worker {
namespace {

constexpr int rows_at_once = 256; // bad ones, before others on the same thread get their turn
constexpr Duration retry_after = std::chrono::seconds{1};

} // namespace

Result<std::unique_ptr<Feed>> CsvFeed::open(const CsvInput& input, const Clock& clock) {
    auto table = csv::Table::open(table_of(input));
    if (!table) return fail(table.error());
    return std::unique_ptr<Feed>{new CsvFeed{*std::move(table), input, clock}};
}

Result<std::optional<std::uint64_t>> CsvFeed::next(wire::WorkItem& item) {
    if (exhausted_ || (!trouble_.empty() && clock_.now() < retry_at_)) {
        return std::optional<std::uint64_t>{};
    }
    const auto found = find_row();
    trouble_ = found ? std::string{} : found.error().detail;
    if (!found) retry_at_ = clock_.now() + retry_after;
    if (!found || !*found) return std::optional<std::uint64_t>{};
    wire::Step step{};
    table_->append_json(step.payload);
    item.steps.push_back(std::move(step));
    item.content_type = "application/json";
    item.headers.append(header::csv_file, wire::HeaderValue::text(path_));
    item.headers.append(
        header::csv_row, wire::HeaderValue::json(fmt::format_int{table_->row()}.str()));
    ++taken_this_round_;
    return std::optional{++taken_};
}

Result<bool> CsvFeed::find_row() {
    for (int i = 0; i < rows_at_once; ++i) {
        const auto found = table_->next();
        if (!found) return fail(found.error());
        switch (*found) {
        case csv::Table::Found::row: return true;
        case csv::Table::Found::nothing_yet: return false;
        case csv::Table::Found::bad_row:
            ++bad_;
            last_bad_ = {{"line", table_->line()}, {"problem", table_->problem()}};
            break;
        case csv::Table::Found::end:
            if (auto ok = start_over(); !ok) return fail(ok.error());
            if (exhausted_) return false;
        }
    }
    return false;
}

Status CsvFeed::start_over() {
    // A file without one good row would be read for ever.
    exhausted_ = !rotate_ || taken_this_round_ == 0;
    if (exhausted_) return {};
    if (auto ok = table_->rewind(); !ok) return ok;
    ++rounds_;
    taken_this_round_ = 0;
    return {};
}

std::optional<TimePoint> CsvFeed::again() const {
    if (exhausted_) return std::nullopt;
    return trouble_.empty() ? clock_.now() : retry_at_;
}

wire::InputState CsvFeed::state() const {
    if (exhausted_) return wire::InputState::out_of_data;
    return trouble_.empty() ? wire::InputState::ok : wire::InputState::upstream_error;
}

void CsvFeed::report(json::object& into) const {
    json::object about{{"file", path_}, {"rows", taken_}, {"badRows", bad_}};
    if (rounds_ > 0) about["rounds"] = rounds_;
    if (!last_bad_.empty()) about["lastBadRow"] = last_bad_;
    if (exhausted_) about["exhausted"] = true;
    if (!trouble_.empty()) about["error"] = trouble_;
    into["csv"] = std::move(about);
}

} // namespace hive::worker
