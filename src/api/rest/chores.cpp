#include "api/rest/chores.hpp"

#include <algorithm>

namespace hive::rest {
namespace {

constexpr Duration tick = std::chrono::milliseconds{100};

} // namespace

Chores::Chores(Transactions& transactions, Logger log, std::vector<Chore> chores)
    : transactions_{&transactions}, log_{std::move(log)} {
    for (auto& chore : chores) {
        entries_.push_back(std::make_shared<Entry>());
        entries_.back()->chore = std::move(chore);
    }
    if (entries_.empty()) return;
    thread_ = std::jthread{[this](const std::stop_token& stop) { run(stop); }};
}

Chores::~Chores() = default;

void Chores::run(const std::stop_token& stop) {
    while (!stop.stop_requested()) {
        const TimePoint now = transactions_->clock().now();
        for (const auto& entry : entries_) {
            if (now < entry->due) continue;
            entry->due = now + entry->chore.every;
            begin(entry);
        }
        std::unique_lock lock{mutex_};
        wake_.wait_for(lock, stop, tick, [] { return false; });
    }
}

void Chores::begin(const std::shared_ptr<Entry>& entry) {
    if (entry->under_way.exchange(true)) return;
    if (entry->chore.wanted && !entry->chore.wanted()) {
        entry->under_way = false;
        return;
    }
    const auto ended = [entry, log = log_](const Status& status) {
        if (!status && !entry->failed.exchange(true)) {
            log.warn(
                "a chore failed and will be tried again",
                {{"chore", entry->chore.name}, {"reason", status.error().detail}});
        }
        if (status && entry->failed.exchange(false)) {
            log.info("a chore works again", {{"chore", entry->chore.name}});
        }
        if (status && entry->chore.after) entry->chore.after();
        entry->under_way = false;
    };
    auto taken = transactions_->change(Cause{.actor = "system:hive"}, entry->chore.work, ended);
    if (!taken) ended(taken);
}

} // namespace hive::rest
