#pragma once

#include "colony/files/document.hpp"
#include "kernel/clock.hpp"
#include "kernel/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::colony::files {

struct Entry {
    std::string path; // below the root, with '/'
    std::uint64_t size = 0;
    Timestamp changed{};

    bool operator==(const Entry&) const = default;
};

struct Trouble {
    std::string path;
    Flaw flaw;
};

struct Listing {
    std::vector<Entry> files{};      // that the hive reads
    std::vector<Trouble> troubles{}; // what could not be looked at: a link that leads away, a door
    std::vector<std::string> strays{}; // unfinished writes of a life before
};

// A directory of files as the hive needs it. Nothing outside its root is ever touched.
class Tree {
public:
    virtual ~Tree() = default;

    virtual Result<Listing> list() = 0; // Errc::unavailable: the root is not there
    virtual Result<Entry> look(std::string_view path) = 0; // Errc::not_found: no such file
    virtual Result<std::string> read(std::string_view path) = 0;
    // The bytes are there whole or not at all, also after a power cut. Answers what stood there
    // before: whoever wrote it between our last look and now must not lose it. `replace`: only
    // where a file is; one that was moved meanwhile is Errc::not_found, not two of them.
    enum class Mode : bool { create, replace };
    virtual Result<std::optional<std::string>>
    put(std::string_view path, std::string_view bytes, Mode mode) = 0;
    virtual Status move(std::string_view from, std::string_view to) = 0; // never over another
    virtual Status append(std::string_view path, std::string_view text) = 0;
    virtual Status remove(std::string_view path) = 0;
};

// What changed in a tree. Paths are hints: look again.
struct Notice {
    std::vector<std::string> paths{};
    bool everything = false; // too much at once, or a directory moved: look at all of it
};

class Watch {
public:
    virtual ~Watch() = default;
    // Waits for a change, for wake(), or until the time is up; then an empty notice.
    virtual Result<Notice> wait(Duration within) = 0;
    virtual void wake() = 0; // from any thread
};

} // namespace hive::colony::files
