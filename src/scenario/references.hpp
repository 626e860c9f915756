#pragma once

#include "kernel/json.hpp"
#include "scenario/model.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hive::scenario {

// `{{ vars.x }}` or `{{ sut.endpoints['x'].baseUrl }}` alone between its braces. Anything that says
// more, such as a filter, is for whoever renders the text.
struct Reference {
    enum class Kind { variable, endpoint };

    Kind kind;
    std::string name;     // of the variable or endpoint
    std::string member{}; // of an endpoint: baseUrl, upstreamBaseUrl or kind
    std::size_t begin = 0;
    std::size_t end = 0; // within the text, braces included
};

std::vector<Reference> references_in(std::string_view text);

// What references stand for in one run.
struct Values {
    json::object vars{};
    std::map<std::string, Endpoint, std::less<>> endpoints{};

    // Null when there is none.
    json::value find(const Reference& reference) const;
};

using IsTemplate = std::function<bool(const std::string& path)>;
using TellUnknown = std::function<void(const std::string& path, const Reference& reference)>;

// How the texts of a configuration are read.
struct Rules {
    const Values& values;
    const IsTemplate& is_template; // its variables are for whoever renders it
    const TellUnknown& unknown;    // told of what has no value; it stays as it is
};

// Replaces the references in every text below `value`. A text that is one reference gets the value
// with its type; within other text it becomes text.
void resolve(json::value& value, const std::string& path, const Rules& rules);

} // namespace hive::scenario
