#pragma once

#include "csv/table.hpp"
#include "worker/dataset_config.hpp"
#include "worker/feed.hpp"

#include <memory>
#include <string>

namespace hive::worker {

// One row after another; each becomes a flat JSON object of texts. Bad rows are counted and passed
// over. A file that cannot be read any more is tried again.
class CsvFeed final : public Feed {
public:
    static Result<std::unique_ptr<Feed>> open(const CsvInput& input, const Clock& clock);

    Result<std::optional<std::uint64_t>> next(wire::WorkItem& item) override;
    std::optional<TimePoint> again() const override;
    Status done(std::uint64_t /*token*/) override { return {}; }
    Status refuse(std::uint64_t /*token*/) override { return {}; }
    wire::InputState state() const override;
    void report(json::object& into) const override;

private:
    CsvFeed(std::unique_ptr<csv::Table> table, const CsvInput& input, const Clock& clock)
        : table_{std::move(table)}, path_{input.file_path.text}, rotate_{input.rotate},
          clock_{clock} {}
    Result<bool> find_row();
    Status start_over();

    std::unique_ptr<csv::Table> table_;
    std::string path_;
    bool rotate_;
    const Clock& clock_;
    std::uint64_t taken_ = 0;
    std::uint64_t taken_this_round_ = 0;
    std::uint64_t rounds_ = 0; // that are over
    std::uint64_t bad_ = 0;
    json::object last_bad_{};
    bool exhausted_ = false;
    std::string trouble_{};
    TimePoint retry_at_{};
};

} // namespace hive::worker
