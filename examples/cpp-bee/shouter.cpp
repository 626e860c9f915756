// A bee in one file: every text that passes becomes upper case, with `suffix` from its
// configuration behind it. docs/guides/custom-bees.md explains how a swarm comes to run it.
#include "sdk/bee_program.hpp"
#include "worker/kind.hpp"

#include <algorithm>
#include <cctype>
#include <string>

struct Settings {
    std::string suffix{};
};

// One line a setting: its type is checked, an unknown one is refused, people can read the help.
void describe(hive::FieldTable& fields, Settings& settings) {
    fields.add("suffix", settings.suffix).help("What it adds behind each text");
}

// An error would have the item tried again, and at last sent to the dead letters of its queue.
static hive::Status shout(const Settings& settings, hive::worker::Item& item) {
    std::string text{item.payload()};
    std::ranges::transform(text, text.begin(), [](unsigned char c) { return std::toupper(c); });
    item.become(text + settings.suffix);
    return {};
}

int main() {
    return hive::sdk::run_bee(hive::worker::simple_bee<Settings>("shouter", shout));
}
