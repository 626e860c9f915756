#include "worker/queue_source.hpp"

#include "wire/names.hpp"

namespace hive::worker {

Result<std::unique_ptr<Source>> QueueSource::open(bus::WorkBus& bus, Options options) {
    auto receiver = bus.open_receiver(
        {.queue = options.queue,
         .prefetch = options.input.prefetch,
         .max_attempts = options.input.max_attempts,
         .dead_letter = wire::dead_letter_queue(options.queue),
         .on_items = options.ring});
    if (!receiver) return fail(receiver.error());
    return std::unique_ptr<Source>{new QueueSource{*std::move(receiver), std::move(options)}};
}

Status QueueSource::take(std::size_t max, std::vector<Job>& out) {
    auto items = receiver_->receive(max, Duration::zero());
    if (!items) return fail(items.error());
    if (items->empty()) return {};
    const Timestamp now = options_.clock->wall();
    for (bus::Delivered& delivered : *items) {
        if (delivered.redelivered) ++redelivered_;
        out.push_back(
            {.item = &delivered.item,
             .tag = delivered.tag,
             .source = options_.number,
             .attempt = delivered.attempt,
             .received_at = now});
    }
    return {};
}

Status QueueSource::refuse(const Job& job, bus::Verdict verdict, std::string_view reason) {
    auto ok = receiver_->settle(job.tag, verdict, reason);
    const bool last = verdict == bus::Verdict::retry && job.attempt >= options_.input.max_attempts;
    if (ok && (last || verdict == bus::Verdict::reject)) ++dead_;
    return ok;
}

void QueueSource::report(json::object& into) const {
    if (redelivered_ > 0) into["redelivered"] = redelivered_;
    if (dead_ > 0) into["deadLetters"] = dead_;
}

} // namespace hive::worker
