#pragma once

#include "kernel/result.hpp"

#include <compare>
#include <functional>
#include <string>
#include <string_view>

namespace hive {

// The fan-out word of routing keys. No id may be called that.
inline constexpr std::string_view all_word = "ALL";

// Fails unless `text` is [A-Za-z0-9][A-Za-z0-9_-]{0,62} and not the fan-out word. An id becomes one
// word of a routing key and part of a queue name: a dot or a wildcard would misroute silently.
Status check_id(std::string_view field, std::string_view text);

template <class Tag>
class Id {
public:
    static Result<Id> parse(std::string_view text) {
        if (auto ok = check_id(Tag::field, text); !ok) return fail(ok.error());
        return Id{std::string{text}};
    }

    const std::string& text() const noexcept { return text_; }
    auto operator<=>(const Id&) const = default;

private:
    explicit Id(std::string text) : text_{std::move(text)} {}
    std::string text_;
};

struct HiveTag {
    static constexpr std::string_view field = "hiveId";
};
struct SwarmTag {
    static constexpr std::string_view field = "swarmId";
};
struct RoleTag {
    static constexpr std::string_view field = "role";
};
struct InstanceTag {
    static constexpr std::string_view field = "instance";
};
struct QueueTag {
    static constexpr std::string_view field = "queue";
};

using HiveId = Id<HiveTag>; // every stored row carries one; the default hive is "main"
using SwarmId = Id<SwarmTag>;
using Role = Id<RoleTag>;
using InstanceId = Id<InstanceTag>;
using QueueName = Id<QueueTag>; // the scenario's name of a queue, not the broker's

} // namespace hive

template <class Tag>
struct std::hash<hive::Id<Tag>> {
    std::size_t operator()(const hive::Id<Tag>& id) const noexcept {
        return std::hash<std::string_view>{}(id.text());
    }
};
