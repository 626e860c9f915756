#pragma once

#include "bees/http_builder/call_template.hpp"

#include <map>
#include <string>
#include <string_view>

namespace hive::bees {

// The calls of all services that a folder has templates for.
class TemplateSet {
public:
    static constexpr std::size_t files_max = 2000;
    static constexpr std::size_t file_bytes_max = std::size_t{1} << 20U;
    static constexpr std::size_t all_bytes_max = std::size_t{32} << 20U;

    // Reads `<service>/<call>.yaml` below `root`, at any depth. The error names every file that
    // cannot be used, with all that is wrong with it.
    static Result<TemplateSet> load(const std::string& root);

    // Without a call id the only call of the service; null when there is none.
    CallTemplate* find(std::string_view service, std::string_view call);
    std::size_t size() const noexcept { return size_; }

private:
    using Calls = std::map<std::string, CallTemplate, std::less<>>;

    std::map<std::string, Calls, std::less<>> services_{};
    std::size_t size_ = 0;
};

} // namespace hive::bees
