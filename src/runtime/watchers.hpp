#pragma once

#include "runtime/runtime.hpp"

#include <memory>

namespace hive::runtime {

// Whoever wants to hear of exits. Used from any thread; a subscription may outlive this.
class Watchers {
public:
    Watchers();

    Subscription add(Runtime::ExitListener listener);
    void tell(const Exit& exit) const;

private:
    struct Watcher;
    struct Board;
    std::shared_ptr<Board> board_;
};

} // namespace hive::runtime
