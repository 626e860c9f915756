#pragma once

#include "cli/host.hpp"
#include "kernel/result.hpp"
#include "kernel/secret.hpp"

#include <map>
#include <string>
#include <string_view>

namespace hive::cli {

// A server this person logged in to.
struct Profile {
    std::string server; // `https://hive.example`, without a slash at the end
    Secret key{};
    std::string ca_file{};
    bool insecure = false; // the key may cross the network readable
};

// Where `hive login` keeps its keys: one file, readable by its owner only.
class Profiles {
public:
    // $XDG_CONFIG_HOME/hive/profiles.json, or the same under ~/.config.
    static Result<std::string> default_path(const Host& host);
    // No file: no profiles. Errc::conflict, naming the file and its problem, when it is there but
    // cannot be understood or can be read by others: it is never replaced then.
    static Result<Profiles> load(std::string path);

    Status save() const;

    const Profile* find(std::string_view name) const noexcept;
    void put(const std::string& name, Profile profile) { all_[name] = std::move(profile); }
    bool remove(std::string_view name); // also as the current one

    const std::map<std::string, Profile, std::less<>>& all() const noexcept { return all_; }
    const std::string& path() const noexcept { return path_; }

    std::string current{}; // empty: none

private:
    explicit Profiles(std::string path) : path_{std::move(path)} {}
    Status read(std::string_view text);

    std::string path_;
    std::map<std::string, Profile, std::less<>> all_{};
};

// Names are typed in shells: [A-Za-z0-9._-]{1,64}.
Status check_profile_name(std::string_view name);

} // namespace hive::cli
