#include "worker/queue_sink.hpp"

#include <utility>

namespace hive::worker {

Result<std::unique_ptr<Sink>> QueueSink::open(bus::WorkBus& bus, const Options& options) {
    auto sender = bus.open_sender(
        {.window = options.output.window,
         .persistent = options.output.persistent,
         .on_progress = options.ring});
    if (!sender) return fail(sender.error());
    return std::unique_ptr<Sink>{new QueueSink{*std::move(sender), options}};
}

QueueSink::QueueSink(std::unique_ptr<bus::WorkSender> sender, const Options& options)
    : sender_{std::move(sender)} {
    for (const WorkPort& port : options.ports->out) {
        routes_.push_back(
            {options.output.direct ? std::string{} : options.ports->exchange, port.queue});
    }
}

Result<std::size_t> QueueSink::send(bus::ItemRefs items) {
    auto sent = routes_.size() == 1 ? sender_->send(routes_.front(), items, Duration::zero())
                                    : send_to_all(items);
    if (!sent) return sent;
    accepted_ += *sent;
    blocked_ = *sent < items.size();
    return sent;
}

// One item after another, so that the confirmations of one sender can be counted.
Result<std::size_t> QueueSink::send_to_all(bus::ItemRefs items) {
    std::size_t count = 0;
    for (wire::WorkItem* item : items) {
        for (; at_ < routes_.size(); ++at_) {
            wire::WorkItem* one = item;
            if (at_ + 1 < routes_.size()) { // the last port gets the item itself
                copy_ = *item;
                one = &copy_;
            }
            const auto sent = sender_->send(routes_[at_], {&one, 1}, Duration::zero());
            if (!sent) return fail(sent.error());
            if (*sent == 0) return count;
        }
        at_ = 0;
        ++count;
    }
    return count;
}

// Full for a moment is how a fast bee meets a slow one; nothing taken since the last look is not.
wire::OutputState QueueSink::state() {
    const bool moved = accepted_ != std::exchange(accepted_before_, accepted_);
    return blocked_ && !moved ? wire::OutputState::blocked : wire::OutputState::ok;
}

void QueueSink::report(json::object& into) const {
    if (const auto open = accepted_ - confirmed(); open > 0) into["unconfirmed"] = open;
}

} // namespace hive::worker
