#pragma once

#include <cstddef>
#include <cstring>
#include <string_view>

namespace hive::templates {

// As find(), but in time linear to the text whatever is looked for: the C library's two-way search.
// The standard one compares from every place anew, and texts that almost match would stop a bee.
inline std::size_t find_text(std::string_view text, std::string_view what) noexcept {
    if (what.empty()) return 0;
    if (what.size() > text.size()) return std::string_view::npos; // an empty text may be null
    const void* const found = memmem(text.data(), text.size(), what.data(), what.size());
    if (found == nullptr) return std::string_view::npos;
    return static_cast<std::size_t>(static_cast<const char*>(found) - text.data());
}

} // namespace hive::templates
