#pragma once

#include "template/arena.hpp"
#include "template/context.hpp"
#include "template/json_reader.hpp"
#include "template/program.hpp"
#include "template/regex.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::templates {

struct Binding {
    std::string name;
    std::unique_ptr<Arena> memory;
    Value value;
};

struct Loop {
    const Value* items = nullptr;
    std::size_t size = 0;
    std::size_t index = 0;
    std::uint32_t slot = 0;
};

// What a context holds, for the machine and its functions.
struct ContextState {
    static constexpr std::size_t cache_max = 256; // programs, and patterns; a full cache is emptied

    Services services;
    RenderLimits limits;
    Input input{};
    std::vector<Binding> bindings{};

    // Of the item: read when first asked for.
    Arena item_memory{};
    JsonReader payload_reader{};
    std::optional<Value> payload_json{};
    std::optional<Value> header_vars{};
    std::string decoded_payload{};

    // Of one render.
    Arena memory{};
    JsonReader reader{};
    std::string buffer{};
    std::string output{};
    std::vector<Loop> loops{};

    std::map<std::string, std::shared_ptr<const Program>, std::less<>> evals{};
    // Fell out of the cache during this render, which may still hold texts of theirs.
    std::vector<std::shared_ptr<const Program>> retired{};
    std::map<std::string, Regex, std::less<>> patterns{};
};

} // namespace hive::templates
