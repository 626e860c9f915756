#pragma once

#include "audit/export.hpp"
#include "kernel/random.hpp"
#include "tests/support/memory_ledger.hpp"

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <span>
#include <string>
#include <vector>

namespace hive::tests {

// A small log with everything in it, the same on every run.
class AuditLog {
public:
    static constexpr std::string_view origin = "hive.example/main";

    AuditLog() = default;
    // `size` entries with a checkpoint after every `cadence` of them.
    AuditLog(std::uint64_t size, std::uint64_t cadence) {
        for (std::uint64_t i = 1; i <= size; ++i) {
            add(fact(i));
            if (i % cadence == 0) save_checkpoint();
        }
    }

    static audit::Fact fact(std::uint64_t number) {
        const json::object details{
            {"before", {{"state", "pending"}}},
            {"after", {{"state", "claimed"}, {"attempt", number}}},
            {"note", "quoted \"text\", a \\ and a line\nend"}};
        return audit::Fact{
            .time = Timestamp{std::chrono::milliseconds{1'750'000'000'000 + number * 1001}},
            .actor = fmt::format("bee:BOT-{:03}", number % 3),
            .action = number % 2 == 0 ? "task.claimed" : "task.created",
            .entity_type = "task",
            .entity_id = fmt::format("TASK-{}", number / 2),
            .correlation_id = number % 4 == 0 ? "corr-\"4\"" : "",
            .request_id = fmt::format("req-{}", number),
            .details = audit::Details::of(details).value()};
    }

    void add(const audit::Fact& fact) {
        const std::vector<audit::Salt> salts{next_salt()};
        const auto batch = audit::extend(ledger.stored_head, std::span{&fact, 1}, salts);
        REQUIRE(batch);
        REQUIRE(ledger.append(*batch));
    }

    audit::SignedCheckpoint checkpoint() const {
        auto made = audit::sign(
            audit::checkpoint_of(
                ledger.stored_head, std::string{origin},
                Timestamp{std::chrono::seconds{1'750'000'100}}),
            key);
        REQUIRE(made);
        return *made;
    }
    void save_checkpoint() { REQUIRE(ledger.save_checkpoint(checkpoint())); }

    std::vector<audit::TrustedKey> keys() const {
        return {audit::TrustedKey::make(origin, key.verifying_key()).value()};
    }

    std::string exported() const { return exported(checkpoint()); }
    std::string exported(const audit::SignedCheckpoint& closing) const {
        std::string text;
        const auto written = audit::write_export(ledger, closing, [&](std::string_view piece) {
            text += piece;
            return Status{};
        });
        REQUIRE(written);
        return text;
    }

    SigningKey key = SigningKey::from_seed({42});
    MemoryLedger ledger{HiveId::parse("main").value()};

private:
    audit::Salt next_salt() {
        audit::Salt salt{};
        for (auto& byte : salt) byte = static_cast<std::uint8_t>(random_());
        return salt;
    }

    Random random_{99}; // tests need the same salts each time, not secret ones
};

} // namespace hive::tests
