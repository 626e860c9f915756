#pragma once

#include "kernel/clock.hpp"
#include "kernel/random.hpp"
#include "tests/simulation/agenda.hpp"
#include "tests/simulation/connection.hpp"
#include "tests/simulation/disk.hpp"
#include "tests/simulation/life.hpp"
#include "tests/simulation/network.hpp"

#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace hive::simulation {

// Something that lives and dies. Its constructor is its start, its destructor the end of its
// memory: whatever it must not forget goes to the disk of its host.
class Component {
public:
    virtual ~Component() = default;
};

enum class TimerId : std::uint64_t {};

// All that a component may touch, for one life.
class Host {
public:
    struct Parts {
        PeerId peer;
        Network& network;
        Agenda& agenda;
        const Clock& clock;
        Disk& disk;
        Random random;
    };

    explicit Host(Parts parts);
    ~Host();
    Host(const Host&) = delete;
    Host& operator=(const Host&) = delete;

    bus::Connection& connection() noexcept { return connection_; }
    void on_link(bus::LinkListener listener) { connection_.on_link(std::move(listener)); }
    const Clock& clock() const noexcept { return parts_.clock; }
    Random& random() noexcept { return parts_.random; } // of this component and this life
    Disk& disk() noexcept { return parts_.disk; }

    TimerId after(Duration wait, std::function<void()> action); // cancelled when it dies
    void cancel(TimerId timer);
    void note(std::string_view text) const; // a line of the trace

    // For the world.
    bool dying() const noexcept { return life_.dying(); }
    void end();

private:
    struct Timer {
        TimerId id;
        Agenda::Ticket ticket;
        std::function<void()> action;
    };
    void fire(TimerId timer);

    Parts parts_;
    Life life_;
    std::vector<Timer> timers_;
    std::uint64_t next_timer_ = 0;
    bool ended_ = false;
    Connection connection_;
};

using Factory = std::function<std::unique_ptr<Component>(Host& host)>;

} // namespace hive::simulation
