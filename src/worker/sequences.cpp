#include "worker/sequences.hpp"

namespace hive::worker {

void BeeSequences::configure(const SequenceServer& config) {
    if (config == config_) return;
    config_ = config;
    shared_.reset();
    if (!config.enabled) return;
    shared_ = std::make_unique<redis::Counters>(redis::Counters::Options{.server = config.server});
}

void BeeSequences::report(json::object& into) const {
    if (!shared_) return;
    if (const auto trouble = shared_->trouble(); !trouble.empty()) into["sequences"] = trouble;
}

Result<std::uint64_t> BeeSequences::next(std::string_view key) {
    return shared_ ? shared_->next(key) : own_.next(key);
}

Result<bool> BeeSequences::reset(std::string_view key) {
    return shared_ ? shared_->reset(key) : own_.reset(key);
}

} // namespace hive::worker
