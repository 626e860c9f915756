// Any bytes at any path make a document with a title, a sender and a time; what the hive would
// write of it reads back as the same task. The first line is the path.
#include "colony/files/intake_task.hpp"
#include "colony/files/task_file.hpp"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace {

using namespace hive;
using namespace hive::colony::files;

void demand(bool holds) {
    if (!holds) std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Aliases aliases;
    static const Zone zone = Zone::parse("America/Chicago").value();
    const std::string_view input{reinterpret_cast<const char*>(data), size};
    const auto end = input.find('\n');
    if (end == input.npos) return 0;
    const std::string_view path = input.substr(0, end);
    const Document document = read_document(path, input.substr(end + 1), {aliases, zone, {}});
    demand(!document.title.value.empty());
    demand(!document.sender.value.empty());
    demand(!document.time.source.empty());
    (void)to_json(document);
    if (document.place.family != Family::task) return 0;
    auto task = task_in(document, {});
    if (task.lease) return 0; // its token is that of the last claim, which a fuzzer need not keep
    const auto back = read_task(write_task(without_place(task)));
    demand(back.has_value());
    demand(*back == without_place(task));
    return 0;
}
