#pragma once

#include <string_view>

namespace hive::report {

// What is the same in every report: looks for screen, phone, dark and print, and the few lines of
// script that show values under the pointer.
std::string_view html_style() noexcept;
std::string_view html_script() noexcept;

} // namespace hive::report
