#include "bus/rabbitmq/declared.hpp"

namespace hive::bus::rabbitmq {

void Declared::remove_queue(const std::string& name) {
    queues_.erase(name);
    std::erase_if(bindings_, [&](const Binding& binding) { return binding.queue == name; });
}

void Declared::remove_exchange(const std::string& name) {
    exchanges_.erase(name);
    std::erase_if(bindings_, [&](const Binding& binding) { return binding.exchange == name; });
}

void Declared::forget_auto_delete(const std::string& queue) {
    const auto found = queues_.find(queue);
    if (found != queues_.end() && found->second.auto_delete) remove_queue(queue);
}

Layout Declared::layout() const {
    Layout out;
    for (const auto& [name, exchange] : exchanges_) out.exchanges.push_back(exchange);
    for (const auto& [name, queue] : queues_) out.queues.push_back(queue);
    out.bindings.assign(bindings_.begin(), bindings_.end());
    return out;
}

} // namespace hive::bus::rabbitmq
