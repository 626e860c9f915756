#pragma once

#include "colony/files/posix/descriptor.hpp"
#include "colony/files/tree.hpp"

#include <memory>
#include <string>

namespace hive::colony::files::posix {

// A directory on this machine. Links are followed while they stay below the root.
class PosixTree final : public Tree {
public:
    static Result<std::unique_ptr<PosixTree>> open(const std::string& root);

    Result<Listing> list() override;
    Result<Entry> look(std::string_view path) override;
    Result<std::string> read(std::string_view path) override;
    Result<std::optional<std::string>>
    put(std::string_view path, std::string_view bytes, Mode mode) override;
    Status move(std::string_view from, std::string_view to) override;
    Status append(std::string_view path, std::string_view text) override;
    Status remove(std::string_view path) override;

    const std::string& root() const noexcept { return root_; }

private:
    explicit PosixTree(std::string root) : root_{std::move(root)} {}

    struct Place { // of a file: its directory, open, and its name there
        Descriptor directory;
        std::string name;
    };
    Result<Place> place_of(std::string_view path, bool make);
    // Puts the temporary file where it belongs; what stood there.
    Result<std::optional<std::string>>
    exchange(const Place& place, std::string_view path, Mode mode);
    Result<Descriptor> open_below(const std::string& path, int flags) const;
    void list_below(const std::string& directory, int depth, Listing& out);

    std::string root_;
};

} // namespace hive::colony::files::posix
