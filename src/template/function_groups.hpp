#pragma once

#include "template/function.hpp"

#include <span>

namespace hive::templates {

// What function.cpp puts together. One file each.
std::span<const Function> chance_functions();
std::span<const Function> digest_functions();
std::span<const Function> time_functions();
std::span<const Function> sequence_functions();
std::span<const Function> search_functions();
std::span<const Function> number_functions();
std::span<const Function> text_filters();
std::span<const Function> list_filters();
std::span<const Function> number_filters();
std::span<const Function> value_tests();

} // namespace hive::templates
