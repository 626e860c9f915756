#pragma once

#include "colony/files/intake.hpp"
#include "colony/tasks/state.hpp"

#include <string>
#include <utility>

namespace hive::colony::files {

// Who acts when a file does not say: somebody who can edit the hive's files.
Actor someone();
Actor bee_named(const std::string& id);

// Runs an act in the name of somebody; what it says is marked as coming from files.
template <class Act>
auto act_as(Colony& colony, const Actor& actor, Act act) {
    Moment moment{actor, colony.moment.now(), colony.moment.random()};
    auto done = act(moment);
    if (done) {
        for (auto& event : moment.events()) {
            event.details["via"] = "files";
            event.details["by"] = actor.id;
            colony.moment.say(std::move(event));
        }
    }
    return done;
}

// What a bee reports with a move.
struct Performer {
    std::string bee{};
    std::string note{};
    Timestamp at{}; // when it was written; a bee that wrote lately is here
};
Outcome<tasks::Task>
perform(Colony& colony, const tasks::Task& task, tasks::Move move, const Performer& performer);

// All moves to a state; the task as it is then, or why the lease forbids it.
Outcome<tasks::Task>
bring_to(Colony& colony, const tasks::Task& task, tasks::State wanted, const Performer& performer);

// Said in the task's channel, in the audit log and to subscribers.
Outcome<void> tell_conflict(Colony& colony, const tasks::Task& task, const Conflict& conflict);

// A message in the name of the file's author, in the channel it belongs to. Its id.
Outcome<std::string> post_note(Colony& colony, const Document& document, const Link& link);

// The row of a file that is in step from now on.
FileRow row_of(const Colony& colony, const Incoming& incoming);

// Notes that lie among tasks and responses: CLAIM, ACK, STATUS. They are messages.
bool is_note(const Document& document);

} // namespace hive::colony::files
