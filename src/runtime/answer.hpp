#pragma once

#include "runtime/runtime.hpp"

#include <memory>
#include <utility>

namespace hive::runtime {

// The way back to whoever asked: told once. Dropped untold, it says that the runtime has gone.
class Answer {
public:
    explicit Answer(Runtime::Done done) : done_{std::move(done)} {}
    ~Answer() { tell(fail(Errc::closed, "the runtime was closed before this was done")); }
    Answer(const Answer&) = delete;
    Answer& operator=(const Answer&) = delete;

    void tell(Status status) {
        if (auto done = std::exchange(done_, nullptr)) done(std::move(status));
    }

private:
    Runtime::Done done_;
};

// Shared, because what waits in a queue of tasks must be copyable.
using AnswerPtr = std::shared_ptr<Answer>;

inline AnswerPtr make_answer(Runtime::Done done) {
    return std::make_shared<Answer>(std::move(done));
}

// To whom waits for a launch that a stop has overtaken.
inline Error overtaken(const Name& name) {
    return {Errc::conflict, name.instance.text() + " was told to stop before it was launched anew"};
}

// One answer for `count` of them (at least one): the first error, or success once all are done.
Runtime::Done gather(std::size_t count, AnswerPtr answer);

} // namespace hive::runtime
