#pragma once

#include "kernel/json.hpp"
#include "kernel/random.hpp"

#include <string>
#include <string_view>

namespace hive::tests {

// Who can know that a rule is broken.
enum class Rule {
    schema,   // the schema says so too
    semantic, // beyond what a schema can express
};

// One rule broken in one valid document.
struct Broken {
    std::string_view pointer; // where (RFC 6901)
    std::string_view value;   // JSON text to put there; empty: the member goes
    std::string_view error;   // what the decoder says about it
    Rule rule = Rule::schema;
};

json::value broken(const json::value& document, const Broken& how);

// Changes one place of a document: a value replaced, a member gone or added.
void mutate(json::value& document, Random& random);

} // namespace hive::tests
