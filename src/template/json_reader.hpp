#pragma once

#include "kernel/json.hpp"
#include "kernel/result.hpp"
#include "template/arena.hpp"
#include "template/value.hpp"

#include <memory>
#include <string_view>

namespace hive::templates {

// JSON text as values. On the path of every item whose payload is looked into: the memory is kept.
class JsonReader {
public:
    JsonReader();
    JsonReader(JsonReader&&) noexcept;
    JsonReader& operator=(JsonReader&&) noexcept;
    ~JsonReader();

    // The values lie in `memory`; their texts too if they are to outlive the next read of this
    // reader, else in here.
    enum class Texts : std::uint8_t { stay, copy };
    Result<Value> read(std::string_view text, Arena& memory, Texts texts);

private:
    struct Parser;
    std::unique_ptr<Parser> parser_;
};

Result<Value> from_json(const json::value& value, Arena& memory);

} // namespace hive::templates
