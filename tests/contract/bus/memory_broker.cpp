#include "bus/memory/hub.hpp"
#include "kernel/clock.hpp"
#include "tests/contract/bus/broker.hpp"

namespace hive::contract {
namespace {

class MemoryBroker final : public Broker {
public:
    std::unique_ptr<bus::Connection> connect() override {
        return hub_.connect(bus::Grants::everything());
    }

private:
    SystemClock clock_;
    bus::memory::Hub hub_{clock_};
};

} // namespace

Broker& broker() {
    static MemoryBroker only;
    return only;
}

} // namespace hive::contract
