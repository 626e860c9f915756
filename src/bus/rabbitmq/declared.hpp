#pragma once

#include "bus/layout.hpp"

#include <map>
#include <set>
#include <string>

namespace hive::bus::rabbitmq {

// What this connection declared and did not remove since: declared again after a reconnect.
class Declared {
public:
    void add(const Exchange& exchange) { exchanges_.insert_or_assign(exchange.name, exchange); }
    void add(const Queue& queue) { queues_.insert_or_assign(queue.name, queue); }
    void add(const Binding& binding) { bindings_.insert(binding); }
    void remove(const Binding& binding) { bindings_.erase(binding); }
    void remove_queue(const std::string& name);
    void remove_exchange(const std::string& name);
    // Its last consumer here is gone, and with it perhaps the queue: not ours to bring back.
    void forget_auto_delete(const std::string& queue);

    Layout layout() const;

private:
    std::map<std::string, Exchange> exchanges_;
    std::map<std::string, Queue> queues_;
    std::set<Binding> bindings_;
};

} // namespace hive::bus::rabbitmq
