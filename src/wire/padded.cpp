#include "wire/padded.hpp"

#include <fmt/format.h>

#include <cstring>
#include <vector>

namespace hive::wire {
namespace {

constexpr std::size_t kept_max = std::size_t{64} << 10U; // bytes of text a thread keeps room for
constexpr std::size_t depth_max = 32;

} // namespace

struct PaddedParser::Memory {
    simdjson::dom::parser parser;
    std::vector<char> buffer;
};

PaddedParser::Memory& PaddedParser::kept() {
    thread_local Memory memory;
    return memory;
}

PaddedParser::PaddedParser(std::string_view text)
    : text_{text}, own_{text.size() > kept_max ? std::make_unique<Memory>() : nullptr} {}

PaddedParser::~PaddedParser() = default;

Result<simdjson::dom::element> PaddedParser::root() {
    Memory& memory = own_ ? *own_ : kept();
    if (memory.buffer.size() < text_.size() + simdjson::SIMDJSON_PADDING) {
        memory.buffer.resize(2 * text_.size() + simdjson::SIMDJSON_PADDING);
    }
    if (memory.parser.capacity() < text_.size()) {
        if (memory.parser.allocate(2 * text_.size(), depth_max) != simdjson::SUCCESS) {
            return fail(Errc::limit, "out of memory");
        }
    }
    if (!text_.empty()) std::memcpy(memory.buffer.data(), text_.data(), text_.size());
    simdjson::dom::element root;
    const auto error = memory.parser.parse(memory.buffer.data(), text_.size(), false).get(root);
    if (error != simdjson::SUCCESS) {
        return fail(
            Errc::invalid, fmt::format("not valid JSON: {}", simdjson::error_message(error)));
    }
    return root;
}

} // namespace hive::wire
