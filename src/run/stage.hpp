#pragma once

#include "kernel/json.hpp"
#include "kernel/result.hpp"
#include "run/sight.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace hive::run {

// What is still waited for.
enum class Patience : std::uint8_t {
    full,
    removal, // somebody wants to leave: nothing but the removal
    none,    // at once
};

// Where a run takes place. Every call ends within the patience of whoever implements it; an error
// is a sentence for people.
class Stage {
public:
    virtual ~Stage() = default;

    // Until every bee is there, configured and at rest.
    virtual Status create(const json::object& text, const json::object& plan) = 0;
    virtual Status start() = 0; // until every bee works
    // Bees without inputs take items, or none.
    virtual Status hold(bool hold) = 0;
    virtual Result<Sight> look() = 0; // as of now
    // What went wrong with the swarm since it began, such as a bee that ended; empty: nothing.
    virtual std::string trouble() = 0;
    // Whatever state it is in; nothing stays behind. Errc::not_found when there never was anything.
    virtual Status remove() = 0;
    // From another thread: calls that wait for more than this return with an error at once. A stage
    // that cannot do so is waited for, or left behind.
    virtual void hurry(Patience /*left*/) {}
};

} // namespace hive::run
