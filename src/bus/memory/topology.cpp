#include "bus/memory/ports.hpp"

namespace hive::bus::memory {

Status MemoryTopology::declare(const Layout& layout) {
    for (const auto& exchange : layout.exchanges) {
        if (auto declared = declare(exchange); !declared) return declared;
    }
    for (const auto& queue : layout.queues) {
        if (auto declared = declare(queue); !declared) return declared;
    }
    for (const auto& binding : layout.bindings) {
        if (auto bound = bind(binding); !bound) return bound;
    }
    return session_->check_open();
}

Status MemoryTopology::declare(const Exchange& exchange) {
    if (auto open = session_->check_open(); !open) return open;
    if (auto granted = session_->grants().may_declare(exchange); !granted) return granted;
    return session_->board().declare(exchange);
}

Status MemoryTopology::declare(const bus::Queue& queue) {
    if (auto open = session_->check_open(); !open) return open;
    if (auto granted = session_->grants().may_declare(queue); !granted) return granted;
    return session_->board().declare(queue, session_->id());
}

Status MemoryTopology::bind(const Binding& binding) {
    if (auto open = session_->check_open(); !open) return open;
    if (auto granted = session_->grants().may_bind(binding); !granted) return granted;
    return session_->board().bind(binding, session_->id());
}

Status MemoryTopology::unbind(const Binding& binding) {
    if (auto open = session_->check_open(); !open) return open;
    if (auto granted = session_->grants().may_bind(binding); !granted) return granted;
    return session_->board().unbind(binding, session_->id());
}

Status MemoryTopology::remove_queue(const std::string& name) {
    if (auto open = session_->check_open(); !open) return open;
    if (auto granted = session_->grants().may_remove_queue(name); !granted) return granted;
    return session_->board().remove_queue(name, session_->id());
}

Status MemoryTopology::remove_exchange(const std::string& name) {
    if (auto open = session_->check_open(); !open) return open;
    if (auto granted = session_->grants().may_remove_exchange(name); !granted) return granted;
    return session_->board().remove_exchange(name);
}

Result<QueueStats> MemoryTopology::inspect(const std::string& queue) {
    if (auto open = session_->check_open(); !open) return fail(open.error());
    if (auto granted = session_->grants().may_inspect(queue); !granted)
        return fail(granted.error());
    const auto found = session_->board().find(queue, session_->id());
    if (!found) return fail(found.error());
    Aftermath after;
    const QueueStats stats = (*found)->stats(session_->board().now(), after);
    session_->board().carry_out(*found, after);
    return stats;
}

Result<std::size_t> MemoryTopology::purge(const std::string& queue) {
    if (auto open = session_->check_open(); !open) return fail(open.error());
    if (auto granted = session_->grants().may_remove_queue(queue); !granted) {
        return fail(granted.error());
    }
    const auto found = session_->board().find(queue, session_->id());
    if (!found) return fail(found.error());
    Aftermath after;
    const std::size_t count = (*found)->purge(after);
    session_->board().carry_out(*found, after);
    return count;
}

} // namespace hive::bus::memory
