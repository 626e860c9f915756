#include "store/file_tables.hpp"
#include "tests/contract/store/hive_under_test.hpp"

#include <doctest/doctest.h>

using namespace hive;
using namespace hive::tests;
using namespace std::chrono_literals;
using colony::files::Family;
using colony::files::FileRow;

namespace {

template <class F>
void in_unit(HiveUnderTest& hive, F work) {
    REQUIRE(store::write_and_wait(hive.db(), {.work = [&](store::Session& session) -> Status {
                                      store::FileTable files{session, hive.hive()};
                                      work(files);
                                      return {};
                                  }}));
}

FileRow row(const std::string& path, const std::string& entity) {
    return {
        .path = path,
        .digest = "d1",
        .size = 7,
        .changed = Timestamp{1s},
        .synced = Timestamp{2s},
        .family = Family::task,
        .entity = entity,
        .revision = 3,
        .stem = path.substr(path.rfind('/') + 1),
        .called = "TASK-7",
        .title = "T",
        .sender = "Q33N",
        .time = Timestamp{3s},
        .kind = "TASK",
        .flaws = {{"copy", "of another"}}};
}

} // namespace

TEST_CASE("what is known of a file reads back as it was, and is found by what it is called") {
    HiveUnderTest hive;
    in_unit(hive, [](store::FileTable& files) {
        const FileRow first = row("hive/tasks/a", "t1");
        FileRow second = row("hive/tasks/_archive/b", "t1");
        second.gone = true;
        REQUIRE(files.put(first));
        REQUIRE(files.put(second));
        CHECK(files.find("hive/tasks/a").value() == first);
        CHECK_FALSE(files.find("hive/tasks/c").value());
        CHECK(files.of_entity("t1").value() == std::vector{first, second}); // what is there first
        CHECK(files.called("a").value() == std::vector{first});
        CHECK(files.called("TASK-7")->size() == 2);
        CHECK(files.list("", 10)->size() == 2);
        CHECK(files.list("hive/tasks/_archive/b", 10).value() == std::vector{first});
        FileRow changed = first;
        changed.entity.clear();
        changed.digest = "d2";
        REQUIRE(files.put(changed));
        CHECK(files.find("hive/tasks/a").value() == changed);
        CHECK(files.of_entity("t1")->size() == 1);
    });
}

TEST_CASE("bytes of files are kept once by their digest, whatever they are") {
    HiveUnderTest hive;
    in_unit(hive, [](store::FileTable& files) {
        const std::string bytes("\0\xff\n", 3);
        REQUIRE(files.keep("d", bytes));
        REQUIRE(files.keep("d", "others")); // the first stays: a digest has one content
        CHECK(files.bytes("d").value() == bytes);
        CHECK_FALSE(files.bytes("e").value());
    });
}
