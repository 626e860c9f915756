#pragma once

#include "api/parameter.hpp"
#include "kernel/result.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hive::api {

// One step of a route's path: a fixed word, or a parameter with its kind.
struct PathSegment {
    std::string word; // the word, or the parameter's name
    std::optional<ParameterKind> kind{};
    std::string kind_name{}; // as declared: `SwarmId`

    bool operator==(const PathSegment&) const = default;
};

// `/api/v1/swarms/{swarmId:SwarmId}`. Kinds: id (also SwarmId, Role, InstanceId, QueueName), uuid,
// int, text.
Result<std::vector<PathSegment>> parse_path(std::string_view path);

// The parameters of one request, in the order of the path. Nothing is copied unless a value was
// percent-encoded.
class PathValues {
public:
    static constexpr std::size_t max = 8;

    void add(std::string_view name, std::string_view value);
    void add_decoded(std::string_view name, std::string value);
    std::optional<std::string_view> find(std::string_view name) const noexcept;
    void clear() noexcept;

private:
    struct Value {
        std::string_view name;
        std::string_view text;
        std::size_t decoded = 0; // 1 + index into decoded_; 0 when `text` holds the value
    };
    std::array<Value, max> values_{};
    std::size_t count_ = 0;
    std::vector<std::string> decoded_;
};

} // namespace hive::api
