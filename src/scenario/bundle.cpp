#include "scenario/bundle.hpp"

#include "kernel/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <optional>

namespace hive::scenario {
namespace {

namespace fs = std::filesystem;

constexpr int depth_max = 12;

class Reader {
public:
    explicit Reader(Bundle& bundle) : bundle_{bundle} {}

    void read_folder() {
        std::error_code error;
        fs::recursive_directory_iterator at{bundle_.root, error};
        for (; !error && at != fs::recursive_directory_iterator{}; at.increment(error)) {
            if (at.depth() >= depth_max) at.disable_recursion_pending();
            // Neither a repository's own folder nor an editor's belongs to a scenario.
            if (at->path().filename().string().starts_with(".")) {
                at.disable_recursion_pending();
                continue;
            }
            if (!take(*at)) return;
        }
        if (error) refuse("", "cannot-read", "cannot be read: " + error.message());
    }

    void read_file(const fs::path& path, const std::string& name) {
        std::ifstream file{path, std::ios::binary};
        std::string text(bundle_file_bytes_max + 1, '\0');
        file.read(text.data(), static_cast<std::streamsize>(text.size()));
        if (!file.is_open() || (!file && !file.eof())) {
            return refuse(name, "cannot-read", "cannot be read");
        }
        text.resize(static_cast<std::size_t>(file.gcount()));
        if (text.size() > bundle_file_bytes_max) {
            return refuse(
                name, "too-large", fmt::format("has more than {} bytes", bundle_file_bytes_max));
        }
        bytes_ += text.size();
        if (bytes_ > bundle_bytes_max) {
            return refuse(
                name, "too-large",
                fmt::format("the bundle has more than {} bytes", bundle_bytes_max));
        }
        bundle_.texts.emplace(name, std::move(text));
    }

    void refuse(const std::string& name, std::string code, std::string message) {
        if (bundle_.findings.size() >= findings_max) return;
        bundle_.findings.push_back(
            {.code = std::move(code),
             .file = bundle_.name_of(name),
             .message = std::move(message)});
    }

private:
    // False when there is no point in going on.
    bool take(const fs::directory_entry& entry) {
        std::error_code error;
        const std::string name = entry.path().lexically_relative(bundle_.root).string();
        if (entry.is_symlink(error) && leads_out(entry.path())) {
            refuse(name, "outside-bundle", "is a link to something outside of the bundle");
            return true;
        }
        if (!entry.is_regular_file(error)) return true;
        if (bundle_.sizes.size() == bundle_files_max) {
            refuse("", "too-many", fmt::format("has more than {} files", bundle_files_max));
            return false;
        }
        const auto size = entry.file_size(error);
        bundle_.sizes.emplace(name, error ? 0 : static_cast<std::size_t>(size));
        if (is_parsed_file(name)) read_file(entry.path(), name);
        return bytes_ <= bundle_bytes_max;
    }

    bool leads_out(const fs::path& link) const {
        std::error_code error;
        const fs::path target = fs::canonical(link, error);
        if (error) return true; // leads nowhere
        const fs::path within = target.lexically_relative(bundle_.root);
        return within.empty() || *within.begin() == "..";
    }

    Bundle& bundle_;
    std::size_t bytes_ = 0;
};

} // namespace

bool Bundle::has_folder(std::string_view path) const {
    const std::string prefix = fmt::format("{}/", path);
    const auto at = sizes.lower_bound(prefix);
    return at != sizes.end() && at->first.starts_with(prefix);
}

std::string Bundle::name_of(std::string_view path) const {
    if (root.empty() || path.empty()) return shown;
    return (fs::path{shown} / path).string();
}

bool is_parsed_file(std::string_view path) {
    const bool known = path.ends_with(".yaml") || path.ends_with(".yml") || path.ends_with(".json");
    return known && !path.starts_with("datasets/");
}

Bundle read_bundle_inside(const std::string& folder) {
    Bundle bundle{.main = "scenario.yaml"};
    Reader reader{bundle};
    std::error_code error;
    bundle.root = fs::canonical(folder, error).string();
    if (error) {
        reader.refuse("", "cannot-read", "cannot be read: " + error.message());
        return bundle;
    }
    reader.read_folder();
    if (!bundle.texts.contains(bundle.main) && bundle.findings.empty()) {
        reader.refuse(bundle.main, "no-scenario", "there is no scenario.yaml");
    }
    return bundle;
}

Bundle read_bundle(const std::string& path) {
    Bundle bundle{.shown = path, .main = "scenario.yaml"};
    Reader reader{bundle};
    std::error_code error;
    const fs::path whole = fs::canonical(path, error);
    if (error) {
        reader.refuse("", "cannot-read", "cannot be read: " + error.message());
        return bundle;
    }
    if (!fs::is_directory(whole, error)) {
        // A bundle by its main file is that bundle; any other file stands alone.
        if (whole.filename() == "scenario.yaml") {
            bundle.root = whole.parent_path().string();
            const auto parent = fs::path{path}.parent_path().string();
            bundle.shown = parent.empty() ? "." : parent;
            reader.read_folder();
            return bundle;
        }
        bundle.main = whole.filename().string();
        reader.read_file(whole, bundle.main);
        return bundle;
    }
    bundle.root = whole.string();
    reader.read_folder();
    if (!bundle.texts.contains(bundle.main) && bundle.findings.empty()) {
        reader.refuse("", "no-scenario", "has no scenario.yaml");
    }
    return bundle;
}

Bundle single_file(std::string name, std::string text) {
    Bundle bundle{.shown = name, .main = name};
    bundle.texts.emplace(std::move(name), std::move(text));
    return bundle;
}

} // namespace hive::scenario
