#pragma once

#include "bus/connection.hpp"

#include <memory>

namespace hive::contract {

// What the suite needs from an adapter.
class Broker {
public:
    virtual ~Broker() = default;
    virtual std::unique_ptr<bus::Connection> connect() = 0; // with every right
};

Broker& broker(); // one per process, started on first use; defined by <adapter>_broker.cpp

} // namespace hive::contract
