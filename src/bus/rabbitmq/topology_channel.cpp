#include "bus/rabbitmq/topology_channel.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>

namespace hive::bus::rabbitmq {
namespace {

constexpr std::size_t name_max = 255; // AMQP short strings

// The optional arguments of a queue, alive while it is declared.
class QueueArguments {
public:
    explicit QueueArguments(const Queue& queue) {
        if (queue.message_ttl) {
            add("x-message-ttl",
                std::chrono::ceil<std::chrono::milliseconds>(*queue.message_ttl).count());
        }
        if (queue.max_length) {
            add("x-max-length", static_cast<std::int64_t>(*queue.max_length));
            add("x-overflow",
                queue.overflow == Overflow::push_back ? "reject-publish" : "drop-head");
        }
        if (!queue.dead_letter.empty()) {
            add("x-dead-letter-exchange", std::string_view{});
            add("x-dead-letter-routing-key", queue.dead_letter);
        }
    }
    QueueArguments(const QueueArguments&) = delete;
    QueueArguments& operator=(const QueueArguments&) = delete;

    amqp_table_t table() { return {static_cast<int>(count_), entries_.data()}; }

private:
    void add(const char* key, std::int64_t value) {
        auto& entry = entries_[count_++];
        entry.key = amqp_cstring_bytes(key);
        entry.value.kind = AMQP_FIELD_KIND_I64;
        entry.value.value.i64 = value;
    }
    void add(const char* key, std::string_view value) {
        auto& entry = entries_[count_++];
        entry.key = amqp_cstring_bytes(key);
        entry.value.kind = AMQP_FIELD_KIND_UTF8;
        entry.value.value.bytes = bytes_of(value);
    }

    std::array<amqp_table_entry_t, 5> entries_{};
    std::size_t count_ = 0;
};

Status check_names(std::initializer_list<std::string_view> names) {
    for (const auto name : names) {
        if (name.empty()) return fail(Errc::invalid, "a queue or exchange needs a name");
        if (name.size() > name_max) {
            return fail(
                Errc::invalid, fmt::format(
                                   "the name '{}...' has {} bytes; AMQP allows 255",
                                   name.substr(0, 40), name.size()));
        }
    }
    return {};
}

} // namespace

Status TopologyChannel::open() {
    if (is_open_) return {};
    amqp_channel_open(session_.raw(), number_);
    if (auto ok = session_.outcome(number_, "open a channel"); !ok) return ok;
    is_open_ = true;
    return {};
}

Status TopologyChannel::finish(std::string_view doing) {
    auto outcome = session_.outcome(number_, doing);
    if (!outcome) is_open_ = false;
    amqp_maybe_release_buffers_on_channel(session_.raw(), number_);
    return outcome;
}

Status TopologyChannel::declare(const Exchange& exchange) {
    if (auto ok = check_names({exchange.name}); !ok) return ok;
    if (auto ok = open(); !ok) return ok;
    amqp_exchange_declare(
        session_.raw(), number_, bytes_of(exchange.name), amqp_cstring_bytes("topic"), 0,
        exchange.durable ? 1 : 0, 0, 0, amqp_empty_table);
    return finish(fmt::format("declare exchange '{}'", exchange.name));
}

Status TopologyChannel::declare(const Queue& queue) {
    if (auto ok = check_names({queue.name}); !ok) return ok;
    if (auto ok = open(); !ok) return ok;
    QueueArguments arguments{queue};
    amqp_queue_declare(
        session_.raw(), number_, bytes_of(queue.name), 0, queue.durable ? 1 : 0,
        queue.exclusive ? 1 : 0, queue.auto_delete ? 1 : 0, arguments.table());
    return finish(fmt::format("declare queue '{}'", queue.name));
}

Status TopologyChannel::bind(const Binding& binding) {
    if (auto ok = check_names({binding.exchange, binding.queue}); !ok) return ok;
    if (binding.key.size() > name_max)
        return fail(Errc::invalid, "a binding key is over 255 bytes");
    if (auto ok = open(); !ok) return ok;
    amqp_queue_bind(
        session_.raw(), number_, bytes_of(binding.queue), bytes_of(binding.exchange),
        bytes_of(binding.key), amqp_empty_table);
    return finish(fmt::format("bind queue '{}' to exchange '{}'", binding.queue, binding.exchange));
}

Status TopologyChannel::unbind(const Binding& binding) {
    if (auto ok = check_names({binding.exchange, binding.queue}); !ok) return ok;
    if (binding.key.size() > name_max)
        return fail(Errc::invalid, "a binding key is over 255 bytes");
    if (auto ok = open(); !ok) return ok;
    amqp_queue_unbind(
        session_.raw(), number_, bytes_of(binding.queue), bytes_of(binding.exchange),
        bytes_of(binding.key), amqp_empty_table);
    return finish(
        fmt::format("unbind queue '{}' from exchange '{}'", binding.queue, binding.exchange));
}

Status TopologyChannel::remove_queue(const std::string& name) {
    if (auto ok = check_names({name}); !ok) return ok;
    if (auto ok = open(); !ok) return ok;
    amqp_queue_delete(session_.raw(), number_, bytes_of(name), 0, 0);
    return finish(fmt::format("remove queue '{}'", name));
}

Status TopologyChannel::remove_exchange(const std::string& name) {
    if (auto ok = check_names({name}); !ok) return ok;
    if (auto ok = open(); !ok) return ok;
    amqp_exchange_delete(session_.raw(), number_, bytes_of(name), 0);
    return finish(fmt::format("remove exchange '{}'", name));
}

Result<QueueStats> TopologyChannel::inspect(const std::string& queue) {
    if (auto ok = check_names({queue}); !ok) return fail(ok.error());
    if (auto ok = open(); !ok) return fail(ok.error());
    const auto* answer =
        amqp_queue_declare(session_.raw(), number_, bytes_of(queue), 1, 0, 0, 0, amqp_empty_table);
    QueueStats stats;
    if (answer != nullptr) {
        stats.depth = answer->message_count;
        stats.consumers = answer->consumer_count;
    }
    if (auto ok = finish(fmt::format("inspect queue '{}'", queue)); !ok) return fail(ok.error());
    return stats;
}

Result<std::size_t> TopologyChannel::purge(const std::string& queue) {
    if (auto ok = check_names({queue}); !ok) return fail(ok.error());
    if (auto ok = open(); !ok) return fail(ok.error());
    const auto* answer = amqp_queue_purge(session_.raw(), number_, bytes_of(queue));
    const std::size_t count = answer == nullptr ? 0 : answer->message_count;
    if (auto ok = finish(fmt::format("purge queue '{}'", queue)); !ok) return fail(ok.error());
    return count;
}

} // namespace hive::bus::rabbitmq
