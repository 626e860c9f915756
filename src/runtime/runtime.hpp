#pragma once

#include "kernel/clock.hpp"
#include "kernel/id.hpp"
#include "kernel/result.hpp"
#include "kernel/subscription.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace hive::runtime {

// A controller or a bee, named as on the control plane.
struct Name {
    SwarmId swarm;
    Role role; // `swarm-controller` for a marshal
    InstanceId instance;

    bool is_controller() const { return role.text() == "swarm-controller"; }
    bool operator==(const Name&) const = default;
};

struct Component {
    Name name;
    // What it is told at its start: identity, queues, where the broker is (seed 001 §2.3). Values
    // may be secret: a runtime shows them to nobody but the component.
    std::map<std::string, std::string> environment{};
};

// How a component ended that nobody had told to.
struct Exit {
    Name name;
    bool failed = true;                    // false: it said that all is well
    std::string cause{};                   // `exit code 3`, `killed by SIGKILL`
    std::vector<std::string> last_lines{}; // of its log, the newest last
};

struct Running {
    Name name;
    Timestamp since{};
    std::optional<int> pid{}; // where it is a process
    std::string log{};        // where its output is, if it is kept
};

enum class Which : std::uint8_t { bees, everything };

// Where components run. An instance is unique within its swarm, whatever its role. Used from any
// thread; callbacks come on a thread of the runtime, or on the caller's before the call returns,
// and must not block. Each Done is called once: with Errc::closed when the runtime goes away first,
// then on the thread that ended it. That must not be a thread of its own.
class Runtime {
public:
    using Done = std::function<void(Status)>;
    using ExitListener = std::function<void(const Exit&)>;

    virtual ~Runtime() = default;

    // Success once it runs; harmless when it lives already, launched by whomever: it is then
    // watched like one of our own. The error says why it could not: no such program, no such role.
    // How a component ends that came up is an Exit, however soon. One that is being stopped is
    // launched anew once it is gone. Errc::conflict: an instance of that name has another role.
    virtual void launch(Component component, Done done) = 0;

    // Asks it to end, and ends it by force after the grace. Success once it is gone; what is not
    // there is gone. Nobody is told of an exit. A launch that waits for its end is called off:
    // Errc::conflict.
    virtual void stop(const Name& name, Duration grace, Done done) = 0;

    // The same for every component of a swarm that this runtime has, launched by whomever.
    virtual void stop_all(const SwarmId& swarm, Which which, Duration grace, Done done) = 0;

    virtual Result<std::vector<Running>> running() = 0;

    // Every exit of a component that was launched or adopted here and not told to stop.
    virtual Subscription watch(ExitListener listener) = 0;
};

} // namespace hive::runtime
