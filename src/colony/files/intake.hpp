#pragma once

#include "colony/bees/bee.hpp"
#include "colony/channels/posting.hpp"
#include "colony/files/document.hpp"
#include "colony/files/file_row.hpp"
#include "colony/files/merge.hpp"
#include "colony/gate.hpp"
#include "colony/tasks/bench.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace hive::colony::files {

// The colony as a file that changed meets it, within one unit of work. What files ask for is done
// by the use cases of tasks, channels and bees, in the name of whoever wrote the file: the same
// leases, the same events, the same audit log.
struct Colony {
    tasks::TaskBook tasks;
    Gate& gate;
    channels::MessageBook messages;
    const channels::QuotaPolicy& quota;
    bees::BeeRepository& bees;
    FileRepository& files;
    Moment& moment; // where what was said is gathered
    const Aliases& aliases;
    const Zone& zone;
    tasks::Zones* zones = nullptr; // of recurring tasks; none: only UTC is known
    Policy policy = Policy::last_write;
    Duration lease = std::chrono::hours{1}; // of a claim by file
    std::function<Outcome<void>(const std::string& bee)> may_claim{};
    std::function<bool(std::string_view path)> exists{}; // on disk, now

    struct Titled {
        std::string id;
        std::string ref;
        std::string title;
    };
    std::optional<std::vector<Titled>> titles{}; // looked up once, for links by likeness
};

// A file as it is now.
struct Incoming {
    std::string bytes;
    std::string digest;
    Timestamp changed{};
    Document document;
    bool displaced = false; // its path holds something else by now, and these bytes are nowhere
};

// What came of it.
struct Taken {
    std::string path;
    std::string what{}; // in words, for people and the audit log
    std::string entity{};
    std::string left{}; // a path where it is no longer
    std::vector<Conflict> conflicts{};
    bool rewrite = false; // the file no longer says what the colony does
    bool discard = false; // an editor made it again where the file was before: taken, and not kept
    std::vector<Flaw> flaws{};
};

// New or changed. Safe to repeat: the same bytes again change nothing.
Outcome<Taken> take(Colony& colony, const Incoming& incoming);
// It is gone. A task stays: switching to another branch must not end work.
Outcome<Taken> forget(Colony& colony, std::string_view path);

// Which task a note is about, and how sure that is: exact, named, cited, similar, none.
struct Link {
    std::string task{};
    std::string ref{};
    std::string_view confidence = "none";

    bool sure() const { return confidence == "exact" || confidence == "named"; }
};
Outcome<Link> link_of(Colony& colony, const Document& document);

} // namespace hive::colony::files
