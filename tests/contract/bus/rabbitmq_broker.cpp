#include "bus/rabbitmq/connect.hpp"
#include "tests/contract/bus/broker.hpp"
#include "tests/support/rabbit_server.hpp"

#include <stdexcept>

namespace hive::contract {
namespace {

class RabbitBroker final : public Broker {
public:
    std::unique_ptr<bus::Connection> connect() override {
        bus::rabbitmq::Options options{.endpoint = *bus::rabbitmq::parse_endpoint(server_.url())};
        auto connection = bus::rabbitmq::connect(std::move(options), {});
        if (!connection) throw std::runtime_error(connection.error().detail);
        return std::move(*connection);
    }

private:
    tests::RabbitServer server_;
};

} // namespace

Broker& broker() {
    static RabbitBroker broker;
    return broker;
}

} // namespace hive::contract
