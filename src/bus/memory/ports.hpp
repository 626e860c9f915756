#pragma once

#include "bus/control_bus.hpp"
#include "bus/memory/session.hpp"
#include "bus/topology.hpp"
#include "bus/work_bus.hpp"

#include <memory>
#include <string>

namespace hive::bus::memory {

class MemoryTopology final : public Topology {
public:
    explicit MemoryTopology(std::shared_ptr<Session> session) : session_{std::move(session)} {}

    Status declare(const Layout& layout) override;
    Status bind(const Binding& binding) override;
    Status unbind(const Binding& binding) override;
    Status remove_queue(const std::string& name) override;
    Status remove_exchange(const std::string& name) override;
    Result<QueueStats> inspect(const std::string& queue) override;
    Result<std::size_t> purge(const std::string& queue) override;

private:
    Status declare(const Exchange& exchange);
    Status declare(const bus::Queue& queue);

    const std::shared_ptr<Session> session_;
};

class MemoryControlBus final : public ControlBus {
public:
    MemoryControlBus(std::shared_ptr<Session> session, std::size_t body_max)
        : session_{std::move(session)}, body_max_{body_max} {}

    // Goes to every bound queue or, when one that pushes back is full, to none: Errc::limit.
    Status publish(ControlMessage message, Persistence persistence) override;
    Result<Subscription>
    consume(const std::string& queue, ControlHandler handler, std::size_t prefetch) override;
    Status flush(Duration within) override;

private:
    const std::shared_ptr<Session> session_;
    const std::size_t body_max_; // bytes
};

class MemoryWorkBus final : public WorkBus {
public:
    explicit MemoryWorkBus(std::shared_ptr<Session> session) : session_{std::move(session)} {}

    Result<std::unique_ptr<WorkSender>> open_sender(SenderOptions options) override;
    Result<std::unique_ptr<WorkReceiver>> open_receiver(ReceiverOptions options) override;

private:
    const std::shared_ptr<Session> session_;
};

} // namespace hive::bus::memory
