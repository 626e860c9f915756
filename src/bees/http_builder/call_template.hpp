#pragma once

#include "kernel/finding.hpp"
#include "kernel/yaml.hpp"
#include "worker/request_text.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace hive::bees {

// One call of one service, as its file says it.
struct CallTemplate {
    std::string service;
    std::string call;
    worker::RequestText request;
};

struct CallFile {
    std::string_view name; // for findings
    std::string_view text;
    std::string service; // where the file does not say it: its folder
    std::string call;    // its name
};

// Everything that is wrong with the file at once.
tl::expected<CallTemplate, std::vector<Finding>> read_call_template(const CallFile& file);

} // namespace hive::bees
