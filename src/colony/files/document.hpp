#pragma once

#include "colony/files/aliases.hpp"
#include "colony/files/header.hpp"
#include "colony/files/history.hpp"
#include "colony/files/journal.hpp"
#include "colony/files/place.hpp"
#include "colony/files/zone.hpp"
#include "colony/tasks/task.hpp"
#include "kernel/json.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::colony::files {

// A value and where it was found: `bold header 'priority', line 4`.
template <class T>
struct Found {
    T value{};
    std::string raw{}; // as written
    std::string source{};
};

// What is wrong with a file, for people.
struct Flaw {
    std::string code;
    std::string reason;

    bool operator==(const Flaw&) const = default;
};

// One file as the reader saw it.
struct Document {
    std::string path; // below `.deia`
    Place place{};
    Found<std::string> title{};
    Found<std::string> sender{};
    Found<Words> recipients{};
    Found<Timestamp> time{};
    Found<int> priority{};
    Found<tasks::State> state{.value = tasks::State::pending};
    std::string kind{};             // TASK, RESPONSE, CLAIM, ...; of a log or heartbeat empty
    Found<std::string> task_name{}; // what it calls itself, or the task it is about
    Words depends_on{};             // as written, prefixes filled in
    Words cited{};                  // names of task files in its text
    std::string body{};             // what a task's description or a message's content is
    Head head{};
    std::vector<LogLine> lines{};         // of a log
    std::optional<tasks::Task> task{};    // of a file that the hive wrote
    std::optional<tasks::Task> written{}; // and as the hive wrote it, before somebody edited it
    bool description_edited = false;
    bool ours = false; // written by the hive itself
    std::vector<Flaw> flaws{};

    std::string recipient() const { // the one bee it is for; empty: none, or several
        return recipients.value.size() == 1 && recipients.value.front() != everyone
                   ? recipients.value.front()
                   : std::string{};
    }
};

// What the reader knows besides the bytes.
struct Lens {
    const Aliases& aliases;
    const Zone& zone;
    Timestamp modified{};       // of the file; the last resort for its time
    History* history = nullptr; // asked before that; null: there is none
};

inline constexpr std::size_t file_bytes_max = std::size_t{4} << 20U;

// Never fails: what cannot be made out is filled by the next best source, and said in `flaws`.
Document read_document(std::string_view path, std::string_view bytes, const Lens& lens);

// What was seen and why, for `hive sync explain` and the REST API.
json::object to_json(const Document& document);

} // namespace hive::colony::files
