#pragma once

#include "kernel/result.hpp"

#include <string>
#include <string_view>

namespace hive::api {

// Makes opaque page cursors and recognises its own: a cursor that was edited, or made for another
// listing, is refused instead of believed.
class CursorCodec {
public:
    explicit CursorCodec(std::string key) : key_{std::move(key)} {}

    // `listing` names what is paged through, with its filters: `tasks?state=pending`.
    std::string encode(std::string_view listing, std::string_view position) const;
    Result<std::string> decode(std::string_view listing, std::string_view cursor) const;

private:
    std::string sign(std::string_view listing, std::string_view position) const;
    std::string key_; // any length; the same on every server of one hive
};

} // namespace hive::api
