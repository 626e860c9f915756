#include "scenario/image.hpp"

namespace hive::scenario {

std::string kind_of_image(std::string_view image) {
    if (const auto slash = image.rfind('/'); slash != image.npos) image.remove_prefix(slash + 1);
    image = image.substr(0, image.find('@'));
    image = image.substr(0, image.find(':'));
    constexpr std::string_view prefix = "pockethive-";
    if (image.starts_with(prefix)) image.remove_prefix(prefix.size());
    return std::string{image};
}

} // namespace hive::scenario
