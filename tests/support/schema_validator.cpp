#include "tests/support/schema_validator.hpp"

#include <boost/json.hpp>
#include <valijson/adapters/boost_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace hive::tests {

struct SchemaValidator::Compiled {
    valijson::Schema schema;
    valijson::Validator validator;
};

SchemaValidator::SchemaValidator(const std::string& file)
    : compiled_{std::make_unique<Compiled>()} {
    const json::value document = json::parse(read_file(file));
    const valijson::adapters::BoostJsonAdapter adapter{document};
    valijson::SchemaParser{valijson::SchemaParser::kDraft7}.populateSchema(
        adapter, compiled_->schema);
}

SchemaValidator::SchemaValidator(SchemaValidator&&) noexcept = default;
SchemaValidator& SchemaValidator::operator=(SchemaValidator&&) noexcept = default;
SchemaValidator::~SchemaValidator() = default;

std::string SchemaValidator::violations(const json::value& document) {
    valijson::ValidationResults results;
    const valijson::adapters::BoostJsonAdapter adapter{document};
    if (compiled_->validator.validate(compiled_->schema, adapter, &results)) return {};
    std::string text;
    for (const auto& error : results) {
        for (const std::string& part : error.context) text += part;
        text += ": " + error.description + "; ";
    }
    return text.empty() ? "invalid" : text;
}

std::string SchemaValidator::violations(std::string_view document) {
    const auto value = parse_json(document, {.bytes = std::size_t{64} << 20U, .depth = 256});
    return value ? violations(*value) : value.error().detail;
}

std::string read_file(const std::string& file) {
    std::ifstream in{file, std::ios::binary};
    if (!in) throw std::runtime_error{"cannot read " + file};
    return {std::istreambuf_iterator<char>{in}, {}};
}

} // namespace hive::tests
