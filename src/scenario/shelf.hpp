#pragma once

#include "kernel/result.hpp"
#include "scenario/catalog.hpp"
#include "scenario/compile.hpp"
#include "scenario/file_names.hpp"
#include "scenario/load.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::scenario {

// A scenario as it lies on the shelf.
struct Stored {
    std::string id;                  // the name of its folder
    std::string revision;            // by its contents: equal for equal files, wherever they are
    Loaded loaded{};                 // findings name files as they are called within the bundle
    std::vector<Finding> findings{}; // all of them, with whatever can be chosen taken as the first
};
using StoredPtr = std::shared_ptr<const Stored>;

// What is to be different. Files that are not named stay, unless `whole`.
struct Edit {
    std::map<std::string, std::optional<std::string>, std::less<>> files{}; // none: goes away
    bool whole = false;

    static Edit all(Files files);
};

// A scenario that changed since the last time somebody asked.
struct Changed {
    std::string id;
    std::string before; // revision; empty: it was not there
    std::string after;  // empty: it is gone
};

// A folder of scenarios, one folder each: plain files that people edit and keep in git, and that
// programs change through this. Whatever was changed from outside is seen at the next question: the
// disk is the truth, and what is kept in memory is only what it said last. Used from any thread.
class Shelf {
public:
    // Made when it is not there.
    static Result<std::unique_ptr<Shelf>> open(std::string folder, Catalog catalog);

    std::vector<std::string> ids(); // sorted; at most `shelf_max`
    Result<StoredPtr> find(std::string_view id);
    Result<std::string> file(std::string_view id, std::string_view path);
    Result<Files> files(std::string_view id);

    // Of a scenario in this revision, or of none yet where it is empty; the new revision.
    // Errc::conflict when it is in another one by now. Files are replaced one by one, each whole.
    Result<std::string> put(const std::string& id, const Edit& edit, const std::string& expected);
    Status remove(const std::string& id, const std::string& expected);

    std::vector<Changed> changes(); // by whomever; the first call only looks

    // Files that are not on the shelf, with all that is wrong with them.
    Result<Stored> try_out(const Files& files, const Choices& choices);

    const Catalog& catalog() const noexcept { return catalog_; }
    const std::string& folder() const noexcept { return folder_; }

private:
    struct Stamp { // of a file; whoever changes it changes this
        std::uint64_t size = 0;
        std::int64_t modified = 0;
        std::int64_t changed = 0;
        std::uint64_t inode = 0;
        bool operator==(const Stamp&) const = default;
    };
    using Stamps = std::map<std::string, Stamp, std::less<>>;
    struct Known {
        Stamps stamps{};
        bool settled = false; // old enough for its times to tell the next change
        StoredPtr stored{};
    };

    Shelf(std::string folder, Catalog catalog)
        : folder_{std::move(folder)}, catalog_{std::move(catalog)} {}

    std::string place_of(std::string_view id) const;
    std::string scratch_name();
    Result<StoredPtr> look(std::string_view id);
    Stamps stamps_of(const std::string& folder, bool& settled) const;
    StoredPtr read(std::string_view id, const Stamps& stamps) const;
    void judge(Stored& stored, const Choices& choices) const;
    Status create(const std::string& id, const Edit& edit);
    Status change(const std::string& id, const Edit& edit);
    Status expect(const std::string& id, const std::string& expected);

    std::string folder_;
    Catalog catalog_;
    std::mutex mutex_{};
    std::map<std::string, Known, std::less<>> known_{};
    std::map<std::string, std::string, std::less<>> told_{}; // revisions, as changes() knows them
    bool first_ = true;
    std::uint64_t scratches_ = 0;
};

inline constexpr std::size_t shelf_max = 2'000;

} // namespace hive::scenario
