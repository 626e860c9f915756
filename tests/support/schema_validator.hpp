#pragma once

#include "kernel/json.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace hive::tests {

// Asks a JSON Schema (draft-07) about documents. Not for several threads at once. Behind a pointer
// because the validator's headers take longer to compile than all of the code under test.
class SchemaValidator {
public:
    explicit SchemaValidator(const std::string& file); // throws when it is not a usable schema
    SchemaValidator(SchemaValidator&&) noexcept;
    SchemaValidator& operator=(SchemaValidator&&) noexcept;
    ~SchemaValidator();

    // What the schema holds against the document; empty when it is valid.
    std::string violations(const json::value& document);
    std::string violations(std::string_view document); // also when it is not JSON at all

private:
    struct Compiled;
    std::unique_ptr<Compiled> compiled_;
};

std::string read_file(const std::string& file); // throws when it cannot be read

} // namespace hive::tests
