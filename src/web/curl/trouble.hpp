#pragma once

#include "kernel/result.hpp"
#include "web/curl/destination.hpp"

#include <curl/curl.h>

#include <string>

namespace hive::web::curl {

// Why a transfer gave no answer, in plain words. `said` is what libcurl wrote about it.
Error trouble_of(CURL* handle, CURLcode code, const Destination& to, const std::string& said);

} // namespace hive::web::curl
