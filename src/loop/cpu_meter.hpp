#pragma once

#include "kernel/clock.hpp"

#include <atomic>
#include <cstdint>
#include <memory>

namespace hive::loop {

// CPU time that threads have spent for somebody, added up. Used from any thread.
class CpuMeter {
public:
    void add(Duration spent) noexcept {
        spent_.fetch_add(spent.count(), std::memory_order_relaxed);
    }
    Duration spent() const noexcept { return Duration{spent_.load(std::memory_order_relaxed)}; }

private:
    std::atomic<std::int64_t> spent_ = 0; // nanoseconds
};
using CpuMeterPtr = std::shared_ptr<CpuMeter>;

// While this lives, the thread works for that meter: its CPU time is added there at the end, and
// strands and lanes that are made meanwhile work for it, too. Without a meter it does nothing.
class WorkingFor {
public:
    explicit WorkingFor(CpuMeterPtr meter);
    ~WorkingFor();
    WorkingFor(const WorkingFor&) = delete;
    WorkingFor& operator=(const WorkingFor&) = delete;

    static CpuMeterPtr now(); // whom this thread works for; null: nobody who counts

private:
    CpuMeterPtr meter_; // null: nothing to add, as whoever called counts this already
    CpuMeterPtr before_;
    Duration began_{};
};

} // namespace hive::loop
