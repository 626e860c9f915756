// Audit log: append, export verification and proofs, beside the raw speed of SHA-256.
#include "audit/appender.hpp"
#include "audit/checkpoint.hpp"
#include "audit/entry_json.hpp"
#include "audit/export.hpp"
#include "audit/export_verifier.hpp"
#include "audit/proof.hpp"
#include "kernel/random.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdlib>
#include <ctime>

using namespace hive;
using namespace hive::audit;

namespace {

constexpr std::uint64_t default_entries = 1'000'000;
constexpr std::uint64_t batch_size = 1000; // also the distance between checkpoints
constexpr std::string_view origin = "hive.example/main";

// Of processor time: there is one thread and no waiting, and a busy machine changes little.
template <class Work>
double seconds_of(Work&& work) {
    const std::clock_t start = std::clock();
    work();
    return static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
}

void print_rate(std::string_view what, std::uint64_t count, double seconds) {
    fmt::print(
        "{:<44} {:>12.0f} /s {:>9.0f} ns\n", what, static_cast<double>(count) / seconds,
        seconds * 1e9 / static_cast<double>(count));
}

// Sizes as the server will write them: ids are UUIDs, details some hundred bytes.
Fact fact(std::uint64_t number) {
    const json::object details{
        {"before", {{"state", "pending"}, {"assignee", nullptr}}},
        {"after", {{"state", "claimed"}, {"assignee", "BOT-003"}, {"lease", number}}}};
    return Fact{
        .time = Timestamp{std::chrono::microseconds{1'750'000'000'000'000 + number * 997}},
        .actor = "bee:BOT-003",
        .action = "task.claimed",
        .entity_type = "task",
        .entity_id = fmt::format("0190c2c1-5e7c-7f9a-8b1d-{:012x}", number),
        .correlation_id = fmt::format("0190c2c1-5e7c-4f9a-8b1d-{:012x}", number),
        .request_id = fmt::format("0190c2c1-5e7c-4f9a-9b1d-{:012x}", number),
        .details = Details::of(details).value()};
}

void check(bool ok, std::string_view what) {
    if (ok) return;
    fmt::print(stderr, "bench/audit: {} failed\n", what);
    std::exit(EXIT_FAILURE);
}

void measure_sha256() {
    constexpr std::uint64_t rounds = 2'000'000;
    const std::string block(16 << 10, 'x');
    Digest digest{};
    const double chunks = seconds_of([&] {
        for (int i = 0; i < 20'000; ++i) digest = sha256({digest, bytes_of(block)});
    });
    fmt::print("SHA-256, 16 KiB pieces {:>34.2f} GB/s\n", 20'000.0 * 16384 / chunks / 1e9);
    const double small = seconds_of([&] {
        for (std::uint64_t i = 0; i < rounds; ++i) digest = sha256({digest, digest});
    });
    print_rate("SHA-256 of 64 bytes", rounds, small);
}

// What one entry costs at least: its four hashes (chain, leaf, details, and one inner node).
void measure_hashes_of_an_entry(const Batch& batch) {
    constexpr std::uint64_t rounds = 300'000;
    const Entry& entry = batch.entries.front();
    const CanonicalBytes bytes{view_of(entry)};
    Digest digest{};
    const double seconds = seconds_of([&] {
        for (std::uint64_t i = 0; i < rounds; ++i) {
            digest = chain_hash(digest, bytes);
            const Digest leaf = leaf_hash(bytes.view());
            const Digest details = commit_to(entry.disclosure->salt, entry.disclosure->details);
            digest = node_hash(leaf, digest);
            digest[0] ^= details[0];
        }
    });
    fmt::print(
        "an entry: {} canonical bytes, {} bytes of details\n", bytes.view().size(),
        entry.disclosure->details.size());
    print_rate("yardstick: the four hashes of an entry", rounds, seconds);
}

struct Log {
    Head head = empty_log(HiveId::parse("main").value());
    MerkleTree tree{};
    std::vector<Digest> leaves{};
    Random random{1};

    Batch next_batch(double& seconds) {
        std::vector<Fact> facts;
        std::vector<Salt> salts(batch_size);
        for (std::uint64_t i = 1; i <= batch_size; ++i) facts.push_back(fact(head.size() + i));
        for (auto& salt : salts) salt[0] = static_cast<std::uint8_t>(random());
        Batch batch{.head = head};
        seconds += seconds_of([&] { batch = extend(head, facts, salts).value(); });
        head = batch.head;
        for (const auto& node : batch.nodes) {
            if (node.level != 0) continue;
            tree.append(node.hash);
            leaves.push_back(node.hash);
        }
        return batch;
    }
};

// The same log twice: once to know how it ends, once to be verified piece by piece.
void measure_log(std::uint64_t entries, const SigningKey& key) {
    double append_seconds = 0;
    Log log;
    const Batch first = log.next_batch(append_seconds);
    measure_hashes_of_an_entry(first);
    append_seconds = 0;
    log = Log{};
    while (log.head.size() < entries) log.next_batch(append_seconds);
    print_rate("append: hashes, tree, entries", entries, append_seconds);

    const auto closing = sign(checkpoint_of(log.head, std::string{origin}, {}), key).value();
    ExportVerifier verifier{{TrustedKey::make(origin, key.verifying_key()).value()}};
    const std::uint64_t earlier = entries / batch_size - 1;
    verifier.feed(to_line({log.head.hive, earlier, closing.note}) + '\n');
    double seconds = 0;
    std::size_t bytes = 0;
    Log again;
    while (again.head.size() < entries) {
        double unused = 0;
        std::string piece;
        for (const auto& entry : again.next_batch(unused).entries) {
            append_json(piece, view_of(entry));
            piece += '\n';
        }
        if (again.head.size() < entries) {
            const auto made = sign(checkpoint_of(again.head, std::string{origin}, {}), key).value();
            piece += to_checkpoint_line(made.note) + '\n';
        }
        bytes += piece.size();
        bool good = false;
        seconds += seconds_of([&] { good = verifier.feed(piece); });
        check(good, "verification");
    }
    check(verifier.finish().good(), "verification");
    print_rate("verify an export, checkpoint every 1000", entries, seconds);
    fmt::print("  of {:.0f} MB: {:.0f} MB/s\n", double(bytes) / 1e6, double(bytes) / 1e6 / seconds);
}

void measure_proofs(std::uint64_t entries) {
    constexpr std::uint64_t rounds = 100'000;
    double unused = 0;
    Log log;
    while (log.head.size() < entries) log.next_batch(unused);
    const Digest root = log.tree.root();
    Random random{2};
    std::vector<InclusionProof> proofs;
    proofs.reserve(rounds);
    const double making = seconds_of([&] {
        for (std::uint64_t i = 0; i < rounds; ++i) {
            proofs.push_back(prove_inclusion(log.tree, random.below(entries), entries).value());
        }
    });
    print_rate("inclusion proofs made", rounds, making);
    bool good = true;
    const double checking = seconds_of([&] {
        for (const auto& proof : proofs) {
            good = good && verify_inclusion(proof, log.leaves[proof.index], root);
        }
    });
    check(good, "inclusion proof");
    print_rate("inclusion proofs verified", rounds, checking);
    const double growing = seconds_of([&] {
        for (std::uint64_t i = 0; i < rounds / 10; ++i) {
            const std::uint64_t old_size = 1 + random.below(entries);
            good = good && prove_consistency(log.tree, old_size, entries).has_value();
        }
    });
    check(good, "consistency proof");
    print_rate("consistency proofs made", rounds / 10, growing);
}

void measure_redaction() {
    constexpr std::uint64_t rounds = 200'000;
    const double seconds = seconds_of([] {
        for (std::uint64_t i = 0; i < rounds; ++i) fact(i);
    });
    print_rate("facts made: details redacted and written", rounds, seconds);
}

} // namespace

int main(int argc, char** argv) {
    std::uint64_t entries = default_entries;
    if (argc > 1) entries = std::strtoull(argv[1], nullptr, 10) / batch_size * batch_size;
    check(entries >= batch_size, "reading the number of entries (at least 1000)");
    fmt::print("{} entries, one thread, processor time\n", entries);
    measure_sha256();
    measure_redaction();
    measure_log(entries, SigningKey::from_seed({42}));
    measure_proofs(entries);
}
