#pragma once

#include "store/connection.hpp"
#include "store/database.hpp"
#include "store/reader.hpp"
#include "store/store_thread.hpp"
#include "store/unit_queue.hpp"
#include "store/writer.hpp"

#include <cstddef>
#include <list>
#include <memory>

namespace hive::store {

struct Limits {
    std::size_t writes_waiting = 4096;
    std::size_t reads_waiting = 1024;
    std::size_t readers = 2; // connections, one thread each
    WriterLimits writer{};
};

// A Database over the connections of any engine: one thread that writes, a few that read.
class ThreadedDatabase final : public Database {
public:
    ThreadedDatabase(Engine engine, ConnectionFactory connect, Limits limits);
    ~ThreadedDatabase() override;

    Status write(Unit unit, Done done) override;
    Status read(Unit unit, Done done) override;
    Engine engine() const override { return engine_; }
    Status close(Duration within) override;

private:
    const Engine engine_;
    const ConnectionFactory connect_; // kept: it holds what the connections stand on
    UnitQueue writes_;
    UnitQueue reads_;
    Writer writer_;
    std::list<Reader> readers_;
    std::list<StoreThread> threads_;
};

} // namespace hive::store
