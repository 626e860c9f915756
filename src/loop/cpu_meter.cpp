#include "loop/cpu_meter.hpp"

#include <ctime>
#include <utility>

namespace hive::loop {
namespace {

thread_local CpuMeterPtr working_for;

Duration thread_time() noexcept {
    timespec spent{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
    return std::chrono::seconds{spent.tv_sec} + std::chrono::nanoseconds{spent.tv_nsec};
}

} // namespace

WorkingFor::WorkingFor(CpuMeterPtr meter) : meter_{std::move(meter)}, before_{working_for} {
    if (meter_ == before_) meter_.reset();
    if (!meter_) return;
    working_for = meter_;
    began_ = thread_time();
}

WorkingFor::~WorkingFor() {
    if (!meter_) return;
    meter_->add(thread_time() - began_);
    working_for = std::move(before_);
}

CpuMeterPtr WorkingFor::now() {
    return working_for;
}

} // namespace hive::loop
