#include "worker/choosing_sink.hpp"

#include <algorithm>
#include <utility>

namespace hive::worker {

ChoosingSink::ChoosingSink(
    std::unique_ptr<bus::WorkSender> sender, PortChoice choice, const Clock& clock)
    : sender_{std::move(sender)}, choice_{std::move(choice)}, clock_{clock} {}

Result<std::unique_ptr<Sink>>
ChoosingSink::open(const QueueOutput& output, const SinkParts& parts) {
    const WorkPorts& ports = parts.setup.ports;
    auto choice = PortChoice::make(ports, parts.sequences, parts.seed);
    if (!choice) return fail(choice.error());
    auto sender = parts.bus.open_sender(
        {.window = output.window, .persistent = output.persistent, .on_progress = parts.ring});
    if (!sender) return fail(sender.error());
    std::unique_ptr<ChoosingSink> sink{
        new ChoosingSink{*std::move(sender), *std::move(choice), parts.clock}};
    for (const WorkPort& port : ports.out) {
        sink->targets_.push_back(
            {port.id, {output.direct ? std::string{} : ports.exchange, port.queue}});
    }
    return sink;
}

Result<std::size_t> ChoosingSink::send(bus::ItemRefs items) {
    forget_confirmed();
    std::size_t count = 0;
    blocked_ = false;
    for (wire::WorkItem* item : items) {
        if (choosing_) {
            choice_.choose(*item, clock_.wall(), chosen_);
            choosing_ = false;
            at_ = 0;
        }
        const auto whole = send_copies(*item);
        if (!whole) return fail(whole.error());
        blocked_ = !*whole;
        if (blocked_) break;
        if (chosen_.empty()) ++unrouted_;
        ends_.push_back(copies_);
        choosing_ = true;
        ++count;
    }
    return count;
}

// False when there is no room: it goes on where it was with the next call. The last port gets the
// item itself.
Result<bool> ChoosingSink::send_copies(wire::WorkItem& item) {
    for (; at_ < chosen_.size(); ++at_) {
        wire::WorkItem* one = &item;
        if (at_ + 1 < chosen_.size()) {
            copy_ = item;
            one = &copy_;
        }
        Target& target = targets_[chosen_[at_]];
        const auto sent = sender_->send(target.route, {&one, 1}, Duration::zero());
        if (!sent) return fail(sent.error());
        if (*sent == 0) return false;
        ++target.items;
        ++copies_;
    }
    return true;
}

std::uint64_t ChoosingSink::confirmed() const {
    const auto safe = std::ranges::upper_bound(ends_, sender_->confirmed());
    return settled_ + static_cast<std::uint64_t>(safe - ends_.begin());
}

void ChoosingSink::forget_confirmed() {
    const std::uint64_t safe = sender_->confirmed();
    for (; !ends_.empty() && ends_.front() <= safe; ++settled_) ends_.pop_front();
}

// Full for a moment is how a fast bee meets a slow one; nothing taken since the last look is not.
wire::OutputState ChoosingSink::state() {
    const bool moved = accepted() != std::exchange(accepted_before_, accepted());
    return blocked_ && !moved ? wire::OutputState::blocked : wire::OutputState::ok;
}

void ChoosingSink::report(json::object& into) const {
    if (const auto open = accepted() - confirmed(); open > 0) into["unconfirmed"] = open;
    into["unrouted"] = unrouted_;
    json::object ports;
    for (const Target& target : targets_) ports[target.port] = target.items;
    into["ports"] = std::move(ports);
    if (choice_.failures() == 0) return;
    into["selectorFailures"] = choice_.failures();
    into["selectorError"] = choice_.last_failure();
}

} // namespace hive::worker
