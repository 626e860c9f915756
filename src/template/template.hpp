#pragma once

#include "kernel/finding.hpp"
#include "kernel/result.hpp"
#include "template/context.hpp"
#include "template/limits.hpp"

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hive::templates {

struct Program;

struct CompileOptions {
    CompileLimits limits{};
    // What the context will bind besides payload, payloadAsJson, headers, vars, workItem, now and
    // nowIso: `sut`, `steps`, ... A name that is neither here nor set by the template is an error.
    std::span<const std::string_view> names{};
    std::string_view file{}; // for findings
    std::string_view key{};
};

using Findings = std::vector<Finding>;

// A compiled template. Copies share the program; any number of threads may render it, each with a
// context of its own.
class Template {
public:
    explicit Template(std::shared_ptr<const Program> program) : program_{std::move(program)} {}

    // Appends to `out`. On failure `out` is as it was, and the error says where in the template.
    Status render(Context& context, std::string& out) const;
    // The value itself when the template is one expression, else the rendered text. It lives until
    // the context renders again, and as long as the template.
    Result<Value> evaluate(Context& context) const;

    bool is_constant() const noexcept; // renders the same text always
    bool is_expression() const noexcept;

private:
    std::shared_ptr<const Program> program_;
};

// Everything that is wrong with it at once.
tl::expected<Template, Findings>
compile(std::string_view source, const CompileOptions& options = {});

} // namespace hive::templates
