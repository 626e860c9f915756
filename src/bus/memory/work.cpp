#include "bus/memory/ports.hpp"
#include "bus/memory/receiver.hpp"
#include "bus/memory/sender.hpp"

#include <utility>

namespace hive::bus::memory {

Result<std::unique_ptr<WorkSender>> MemoryWorkBus::open_sender(SenderOptions options) {
    return Sender::open(session_, std::move(options));
}

Result<std::unique_ptr<WorkReceiver>> MemoryWorkBus::open_receiver(ReceiverOptions options) {
    if (auto open = session_->check_open(); !open) return fail(open.error());
    if (auto granted = session_->grants().may_consume(options.queue); !granted) {
        return fail(granted.error());
    }
    if (!options.dead_letter.empty()) {
        auto granted = session_->grants().may_publish("", options.dead_letter);
        if (!granted) return fail(granted.error());
    }
    return Receiver::open(session_, std::move(options));
}

} // namespace hive::bus::memory
