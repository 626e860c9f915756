#include "bus/memory/hub.hpp"

#include "bus/memory/ports.hpp"
#include "bus/memory/session.hpp"
#include "bus/memory/switchboard.hpp"

#include <utility>

namespace hive::bus::memory {
namespace {

class MemoryConnection final : public Connection {
public:
    MemoryConnection(std::shared_ptr<Session> session, std::size_t body_max, LinkListener listener)
        : session_{std::move(session)}, listener_{std::move(listener)}, topology_{session_},
          control_{session_, body_max}, work_{session_} {}
    ~MemoryConnection() override {
        // Handlers must not block, so a late one is a bug of its owner; there is no one to tell.
        static_cast<void>(close(std::chrono::seconds{5}));
    }

    Topology& topology() override { return topology_; }
    ControlBus& control() override { return control_; }
    WorkBus& work() override { return work_; }
    Link link() const override { return session_->closed() ? Link::closed : Link::up; }

    Status close(Duration within) override {
        const bool was_open = !session_->closed();
        auto closed = session_->close(within);
        if (was_open && listener_) listener_(Link::closed, "closed by its owner");
        return closed;
    }

private:
    const std::shared_ptr<Session> session_;
    const LinkListener listener_;
    MemoryTopology topology_;
    MemoryControlBus control_;
    MemoryWorkBus work_;
};

} // namespace

Hub::Hub(const Clock& clock, Options options)
    : options_{options}, board_{std::make_shared<Switchboard>(clock, options)} {}

Hub::~Hub() {
    board_->stop();
}

std::unique_ptr<Connection> Hub::connect(Grants grants, LinkListener listener) {
    auto session = std::make_shared<Session>(board_, std::move(grants));
    return std::make_unique<MemoryConnection>(
        std::move(session), options_.control_body_max, std::move(listener));
}

std::uint64_t Hub::lost() const {
    return board_->lost();
}

} // namespace hive::bus::memory
