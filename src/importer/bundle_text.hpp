#pragma once

#include "importer/draft.hpp"
#include "kernel/clock.hpp"

#include <cstdint>
#include <string>

namespace hive::importer {

struct BundleWish {
    std::string id{};     // of the scenario
    std::string origin{}; // what the comment on top says: "imported from shop.har"
    double rate_per_sec = 10;
    Duration length = std::chrono::seconds{30};
};

// Calls take turns in the order of the draft, which has one at least. Notes on what was put into
// variables are added to the draft.
Files bundle_of(Draft& draft, const BundleWish& wish);

// sut/local/sut.yaml
std::string sut_text(const std::string& base_url);
std::string number_text(double number);                          // 50 or 0.5, as a setting
std::uint64_t messages_of(double rate_per_sec, Duration length); // one at least

} // namespace hive::importer
