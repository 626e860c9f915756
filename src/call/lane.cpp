#include "call/lane.hpp"

#include "call/lane_core.hpp"

namespace hive::call {

Result<std::unique_ptr<Lane>> Lane::start(Options options, Events events) {
    if (auto fine = check(options); !fine) return fail(fine.error());
    if (!events.done) return fail(Errc::invalid, "somebody has to take the calls that are done");
    return std::unique_ptr<Lane>{new Lane{std::make_unique<LaneCore>(options, std::move(events))}};
}

Lane::Lane(std::unique_ptr<LaneCore> core) : core_{std::move(core)} {}
Lane::~Lane() = default;

Status Lane::submit(std::vector<Call>& calls) {
    return core_->submit(calls);
}
std::size_t Lane::room() const {
    return core_->room();
}
std::size_t Lane::pending() const {
    return core_->pending();
}
void Lane::drain(Duration within) {
    core_->drain(within);
}

} // namespace hive::call
