#include "bees/http_builder/template_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace hive::bees {
namespace {

namespace fs = std::filesystem;

constexpr int depth_max = 8;
constexpr std::size_t shown_max = 20;

bool is_template(const fs::path& path) {
    return path.extension() == ".yaml" || path.extension() == ".yml";
}

// In the order of their names, so that findings are the same each time.
Result<std::vector<fs::path>> files_below(const fs::path& root) {
    std::error_code error;
    std::vector<fs::path> out;
    fs::recursive_directory_iterator at{root, error};
    for (; !error && at != fs::recursive_directory_iterator{}; at.increment(error)) {
        if (at.depth() >= depth_max) at.disable_recursion_pending();
        if (!is_template(at->path()) || !at->is_regular_file(error)) continue;
        if (out.size() == TemplateSet::files_max) {
            return fail(
                Errc::limit, fmt::format(
                                 "config.templateRoot: '{}' has more than {} templates",
                                 root.string(), TemplateSet::files_max));
        }
        out.push_back(at->path());
    }
    if (error) {
        return fail(
            Errc::invalid,
            fmt::format(
                "config.templateRoot: '{}' cannot be read: {}", root.string(), error.message()));
    }
    std::ranges::sort(out);
    return out;
}

Result<std::string> read(const fs::path& path) {
    std::ifstream file{path, std::ios::binary};
    std::string text(TemplateSet::file_bytes_max + 1, '\0');
    file.read(text.data(), static_cast<std::streamsize>(text.size()));
    if (!file && !file.eof()) return fail(Errc::unavailable, "cannot be read");
    text.resize(static_cast<std::size_t>(file.gcount()));
    if (text.size() <= TemplateSet::file_bytes_max) return text;
    return fail(Errc::limit, fmt::format("has more than {} bytes", TemplateSet::file_bytes_max));
}

// What is wrong with all files, for people; the rest is counted.
class Problems {
public:
    void add(const std::string& text) {
        if (++count_ > shown_max) return;
        if (!text_.empty()) text_ += "; ";
        text_ += text;
    }
    void add(const std::vector<Finding>& findings) {
        for (const Finding& each : findings) {
            std::string text = fmt::format(
                "{}:{}:{}: {}{}{}", each.file, each.at.line, each.at.column, each.key,
                each.key.empty() ? "" : ": ", each.message);
            if (!each.hint.empty()) text += fmt::format(" ({})", each.hint);
            add(text);
        }
    }
    Status status() const {
        if (count_ == 0) return {};
        if (count_ <= shown_max) return fail(Errc::invalid, text_);
        return fail(Errc::invalid, fmt::format("{}; and {} more", text_, count_ - shown_max));
    }

private:
    std::string text_{};
    std::size_t count_ = 0;
};

} // namespace

Result<TemplateSet> TemplateSet::load(const std::string& root) {
    const auto files = files_below(root);
    if (!files) return fail(files.error());
    TemplateSet set;
    Problems problems;
    std::size_t bytes = 0;
    for (const fs::path& path : *files) {
        const std::string name = path.lexically_relative(root).string();
        const auto text = read(path);
        if (!text) {
            problems.add(fmt::format("{}: {}", name, text.error().detail));
            continue;
        }
        bytes += text->size();
        if (bytes > all_bytes_max) {
            return fail(
                Errc::limit, fmt::format(
                                 "config.templateRoot: the templates of '{}' have more than {} "
                                 "bytes together",
                                 root, all_bytes_max));
        }
        const auto folder = path.parent_path() == fs::path{root}
                                ? std::string{"default"}
                                : path.parent_path().filename().string();
        auto read = read_call_template({name, *text, folder, path.stem().string()});
        if (!read) {
            problems.add(read.error());
            continue;
        }
        auto& calls = set.services_[read->service];
        const std::string call = read->call;
        if (calls.contains(call)) {
            problems.add(fmt::format(
                "{}: call '{}' of service '{}' has another template", name, call, read->service));
            continue;
        }
        calls.emplace(call, *std::move(read));
        ++set.size_;
    }
    if (auto ok = problems.status(); !ok) return fail(ok.error());
    return set;
}

CallTemplate* TemplateSet::find(std::string_view service, std::string_view call) {
    const auto calls = services_.find(service);
    if (calls == services_.end()) return nullptr;
    if (call.empty()) return calls->second.size() == 1 ? &calls->second.begin()->second : nullptr;
    const auto found = calls->second.find(call);
    return found == calls->second.end() ? nullptr : &found->second;
}

} // namespace hive::bees
