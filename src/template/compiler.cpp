#include "template/compiler.hpp"

#include "kernel/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <tuple>

namespace hive::templates {
namespace {

// How many values an instruction leaves on the stack, less what it takes.
std::ptrdiff_t effect_of(const Instruction& instruction) {
    const auto at = static_cast<std::ptrdiff_t>(instruction.at);
    switch (instruction.op) {
    case Op::list: return 1 - at;
    case Op::map: return 1 - 2 * at;
    case Op::call: return 1 - static_cast<std::ptrdiff_t>(instruction.count);
    case Op::emit:
    case Op::yield:
    case Op::store:
    case Op::jump_unless:
    case Op::and_jump:
    case Op::or_jump:
    case Op::have_jump:
    case Op::true_jump:
    case Op::loop_begin:
    case Op::index: return -1;
    case Op::text:
    case Op::jump:
    case Op::loop_next:
    case Op::eval:
    case Op::halt:
    case Op::member:
    case Op::negate:
    case Op::logical_not:
    case Op::truth: return 0;
    default: return instruction.op < Op::list ? 1 : -1;
    }
}

} // namespace

Position Program::position(std::size_t offset) const noexcept {
    const auto next = std::ranges::upper_bound(line_starts, offset);
    const auto line = static_cast<std::size_t>(next - line_starts.begin());
    return {line, offset - line_starts[line - 1] + 1};
}

Compiler::Compiler(std::string_view source, const CompileOptions& options)
    : source_{source}, options_{options}, program_{std::make_shared<Program>()}, scopes_(1) {
    program_->line_starts.push_back(0);
    if (source.size() > options.limits.source_bytes) {
        refuse(
            0, "limit",
            fmt::format(
                "the template has {} bytes; at most {} are allowed", source.size(),
                options.limits.source_bytes));
        source_ = {};
    }
    for (std::size_t i = 0; i < source_.size(); ++i) {
        if (source_[i] == '\n') program_->line_starts.push_back(static_cast<std::uint32_t>(i + 1));
    }
}

tl::expected<std::shared_ptr<const Program>, Findings> Compiler::finish() {
    for (const Unresolved& use : unresolved_) {
        if (may_be_missing_.contains(use.name)) continue;
        std::vector<std::string_view> known{"payload",  "payloadAsJson", "headers", "vars",
                                            "workItem", "now",           "nowIso"};
        known.insert(known.end(), options_.names.begin(), options_.names.end());
        for (const auto& scope : scopes_) {
            for (const Variable& variable : scope) {
                if (variable.defined) known.push_back(variable.name);
            }
        }
        const auto meant = nearest(use.name, known);
        refuse(
            use.place, "unknown-name", fmt::format("there is no name '{}' here", use.name),
            meant ? fmt::format("did you mean '{}'?", *meant)
                  : "names come from the context, from {% set %} and from {% for %}");
    }
    if (findings_.empty()) {
        emit({.op = Op::halt}, source_.size());
        return std::shared_ptr<const Program>{program_};
    }
    std::ranges::sort(findings_, [](const Finding& a, const Finding& b) {
        return std::tie(a.at.line, a.at.column, a.message) <
               std::tie(b.at.line, b.at.column, b.message);
    });
    return tl::unexpected(std::move(findings_));
}

std::size_t Compiler::emit(Instruction instruction, std::size_t place) {
    height_ = static_cast<std::size_t>(
        std::max<std::ptrdiff_t>(0, static_cast<std::ptrdiff_t>(height_) + effect_of(instruction)));
    program_->stack = std::max(program_->stack, height_ + 1);
    code().push_back(instruction);
    program_->places.push_back(static_cast<std::uint32_t>(place));
    return here() - 1;
}

std::string_view Compiler::keep(std::string_view text) {
    program_->memory.bound(std::size_t{1} << 30U); // the source is bounded, and so is this
    char* const at = program_->memory.bytes(text.size());
    if (!text.empty()) std::memcpy(at, text.data(), text.size());
    return {at, text.size()};
}

void Compiler::push(const Value& constant, std::size_t place) {
    program_->constants.push_back(constant);
    const auto at = static_cast<std::uint32_t>(program_->constants.size() - 1);
    emit({.op = Op::constant, .at = at}, place);
}

void Compiler::append_text(std::string_view text) {
    if (text.empty()) return;
    program_->constants.push_back(Value::of(keep(text)));
    const auto at = static_cast<std::uint32_t>(program_->constants.size() - 1);
    emit({.op = Op::text, .at = at}, at_);
}

bool Compiler::accept(std::string_view symbol) {
    if (!peek().is(symbol)) return false;
    take();
    return true;
}

bool Compiler::expect(std::string_view symbol, std::string_view why) {
    if (accept(symbol)) return true;
    return unexpected(fmt::format("'{}' {}", symbol, why));
}

std::size_t Compiler::place_of(std::size_t at) const {
    if (reading_->places == nullptr) return reading_->base + at;
    const auto& places = *reading_->places;
    if (places.empty()) return reading_->base;
    return reading_->base + (at < places.size() ? places[at] : places.back() + 1);
}

bool Compiler::refuse(
    std::size_t place, std::string_view code, std::string message, std::string hint) {
    if (findings_.size() == findings_max) return false;
    findings_.push_back(
        {.code = std::string{code},
         .file = std::string{options_.file},
         .at = program_->position(std::min(place, source_.size())),
         .key = std::string{options_.key},
         .message = std::move(message),
         .hint = std::move(hint)});
    return false;
}

bool Compiler::unexpected(std::string_view wanted) {
    const Token& token = peek();
    if (token.kind == TokenKind::string && !unquote(token.text, reading_->lexer.dialect()).closed) {
        return refuse(place(), "syntax", "this text has no closing quote");
    }
    const std::string found =
        token.kind == TokenKind::end ? "the end" : fmt::format("'{}'", printable(token.text, 40));
    return refuse(place(), "syntax", fmt::format("expected {}, found {}", wanted, found));
}

tl::expected<Template, Findings> compile(std::string_view source, const CompileOptions& options) {
    Compiler compiler{source, options};
    compiler.compile_template();
    auto program = compiler.finish();
    if (!program) return tl::unexpected(std::move(program.error()));
    return Template{*std::move(program)};
}

} // namespace hive::templates
