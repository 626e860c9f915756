#pragma once

#include <string>
#include <string_view>

namespace hive::scenario {

// The kind of bee that an image is of: `registry/pockethive-generator:tag` is a `generator`.
std::string kind_of_image(std::string_view image);

} // namespace hive::scenario
