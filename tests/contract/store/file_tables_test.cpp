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

TEST_CASE("bytes that no file has any more go after their time, and no others") {
    HiveUnderTest hive;
    constexpr Duration keep = 24h;
    const auto kept = [](store::FileTable& files, std::string_view digest) {
        return files.bytes(digest).value().has_value();
    };
    const auto with = [](FileRow one, std::string digest, bool gone) {
        one.digest = std::move(digest);
        one.gone = gone;
        return one;
    };
    in_unit(hive, [&](store::FileTable& files) {
        for (const auto* digest : {"there", "moved", "last", "old", "note"})
            REQUIRE(files.keep(digest, digest));
        REQUIRE(files.put(with(row("a", "t1"), "there", false)));
        REQUIRE(files.put(with(row("b", "t1"), "moved", true))); // its task has another file
        REQUIRE(files.put(with(row("c", "t2"), "last", true)));  // the base, should it come back
        FileRow note = with(row("d", "m1"), "note", true);
        note.family = Family::message;
        REQUIRE(files.put(note));
        CHECK(files.sweep({.now = Timestamp{1h}, .keep = keep}).value() == 0);
        CHECK(files.sweep({.now = Timestamp{24h}, .keep = keep}).value() == 0);
        // One of them is used again in time.
        REQUIRE(files.put(with(row("e", "t3"), "old", false)));
        CHECK(files.sweep({.now = Timestamp{25h}, .keep = keep}).value() == 2);
        CHECK(kept(files, "there"));
        CHECK(kept(files, "last"));
        CHECK(kept(files, "old"));
        CHECK_FALSE(kept(files, "moved"));
        CHECK_FALSE(kept(files, "note"));
        // Its time begins again with the day on which it is out of use.
        REQUIRE(files.put(with(row("e", "t3"), "there", false)));
        CHECK(files.sweep({.now = Timestamp{26h}, .keep = keep}).value() == 0);
        CHECK(files.sweep({.now = Timestamp{49h}, .keep = keep}).value() == 0);
        CHECK(files.sweep({.now = Timestamp{50h}, .keep = keep}).value() == 1);
        CHECK_FALSE(kept(files, "old"));
    });
}

TEST_CASE("a sweep takes no more than it may at a time") {
    HiveUnderTest hive;
    in_unit(hive, [](store::FileTable& files) {
        for (const auto* digest : {"1", "2", "3"}) REQUIRE(files.keep(digest, digest));
        CHECK(files.sweep({.now = Timestamp{1s}, .keep = 0s, .limit = 2}).value() == 2);
        CHECK(files.sweep({.now = Timestamp{1s}, .keep = 0s, .limit = 2}).value() == 1);
    });
}
