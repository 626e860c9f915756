// Which task an answer is about: said with how sure that is, and never forced.
#include "tests/system/files_scene.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::test;

namespace {

// What is in a channel of the file at this path; nothing: no such message.
json::object message_of(FilesScene& scene, const std::string& channel, const std::string& path) {
    const auto said =
        scene.colony->person().get("/api/v1/channels/" + channel + "/messages?limit=100");
    for (const auto& item : said.at("items").as_array()) {
        const auto* metadata = item.as_object().if_contains("metadata");
        if (metadata != nullptr && metadata->at("file").as_string() == path)
            return metadata->as_object();
    }
    return {};
}

} // namespace

TEST_CASE("an answer is linked by name, by id, by what it cites or resembles, or not at all") {
    FilesScene scene;
    scene.write_task(
        "hive/tasks/paint-the-garden-fence.md", "Paint the garden fence",
        "**Task ID:** TASK-500-001\n");
    REQUIRE(scene.becomes("paint-the-garden-fence", "pending"));
    const auto answer = [&](const std::string& name, const std::string& text) {
        scene.files.write("hive/responses/" + name + ".md", text);
    };
    const std::string by = "\n\n**From:** BEE-004\n**Status:** COMPLETE\n";
    answer("exact", "# One\n\n**From:** BEE-004\n**Task:** paint-the-garden-fence\n");
    answer("named", "# Two\n\n**From:** BEE-004\n**Task:** about TASK-500-001, mostly\n");
    answer("cited", "# Three" + by + "\nSee `.deia/hive/tasks/paint-the-garden-fence.md`.\n");
    answer("similar", "# Report: paint the garden fence" + by + "\nNearly.\n");
    answer("apart", "# Weather" + by + "\nIt rains.\n");
    scene.settle();
    const auto link = [&](const std::string& name, const std::string& channel) {
        const auto found = message_of(scene, channel, "hive/responses/" + name + ".md");
        return found.empty() ? std::string{"not there"} : text_at(found, "/link");
    };
    CHECK(link("exact", "task:paint-the-garden-fence") == "exact");
    CHECK(link("named", "task:paint-the-garden-fence") == "named");
    // These are only likely: said, but not put with the task, and they do nothing to it.
    CHECK(link("cited", "general") == "cited");
    CHECK(link("similar", "general") == "similar");
    CHECK(link("apart", "general") == "none");
    const auto id = text_at(scene.task("paint-the-garden-fence"), "/id");
    CHECK(text_at(message_of(scene, "general", "hive/responses/similar.md"), "/task") == id);
    CHECK(scene.state("paint-the-garden-fence") == "pending");
}
