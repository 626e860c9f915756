#pragma once

#include "bees/postprocessor/outcome_sink.hpp"
#include "bees/postprocessor/row_buffer.hpp"
#include "call/lane.hpp"
#include "kernel/fields.hpp"
#include "worker/workload.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace hive::bees {

struct ClickHouseConfig {
    std::string url{}; // empty: none
    std::string table = "ph_tx_outcome";
    std::uint32_t batch_rows = 1000;
    Duration flush_every = std::chrono::seconds{1};
    std::uint32_t rows_max = 100'000;
    std::string username{};
    Secret password{};
    bool verify_tls = true;
    bool operator==(const ClickHouseConfig&) const = default;
};
void describe(FieldTable& fields, ClickHouseConfig& config);
Status check(const ClickHouseConfig& config);

// Inserts rows over HTTP. A batch whose answer was lost is sent again, so a row may come twice.
class ClickHouse final : public OutcomeSink {
public:
    static Result<std::unique_ptr<ClickHouse>>
    open(ClickHouseConfig config, const worker::WorkloadParts& parts);
    ~ClickHouse() override;
    ClickHouse(const ClickHouse&) = delete;
    ClickHouse& operator=(const ClickHouse&) = delete;

    void add(std::string_view row) override;
    void flush() override;
    bool healthy() const override { return error_.empty(); }
    void report(json::object& into) const override;

private:
    struct Returned { // shared with the lane's thread
        std::mutex mutex;
        std::vector<std::string> errors; // of each call that ended; empty: it was written
    };

    ClickHouse(ClickHouseConfig config, const worker::WorkloadParts& parts);
    Status start();
    void pump();
    void wake_at(TimePoint when);
    void look();
    Status send(std::string_view lines);

    ClickHouseConfig config_;
    worker::WorkloadParts parts_;
    RowBuffer buffer_;
    std::shared_ptr<const call::Target> target_{};
    std::string path_{};
    std::string error_{};
    TimePoint alarm_ = TimePoint::max();
    std::shared_ptr<Returned> returned_ = std::make_shared<Returned>();
    std::shared_ptr<ClickHouse*> self_; // null once it is gone: for tasks that come too late
    std::unique_ptr<call::Lane> lane_{};
};

} // namespace hive::bees
