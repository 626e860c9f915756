#include "tests/simulation/handshake/scenario.hpp"

#include "tests/simulation/handshake/memory.hpp"
#include "tests/simulation/handshake/shell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <utility>

namespace hive::simulation::handshake {
namespace {

using Verdict = std::optional<std::string>;

constexpr std::string_view performer = "performer";
constexpr std::string_view requester = "requester";

// What somebody who reads the wire and both disks can know.
class Record final : public Plot {
public:
    explicit Record(World& world) : world_{world} {}

    void see(const Sighting& sighting) {
        if (sighting.message.routing_key != outcome_key) return;
        const auto message = decode(sighting.message.routing_key, sighting.message.body);
        if (!message) {
            contradiction_ = message.error().detail;
            return;
        }
        const auto& outcome = std::get<Outcome>(*message);
        const auto [known, fresh] = outcomes_.emplace(outcome.attempt.correlation, outcome);
        fresh_outcome_ = fresh_outcome_ || fresh;
        if (known->second.entry != outcome.entry && !contradiction_) {
            contradiction_ = fmt::format(
                "{} ended at entry {} and again at entry {}", outcome.attempt.correlation,
                known->second.entry, outcome.entry);
        }
    }

    Verdict one_outcome_each() const { return contradiction_; }

    Verdict outcomes_agree_with_ledger() {
        judge_ledger();
        return disagreement_;
    }
    Verdict performed_once() {
        judge_ledger();
        return performed_twice_;
    }

    Verdict ended_orders_stay_ended() {
        for (const auto& [name, text] : world_.disk(requester).entries()) {
            const auto known = ended_.find(name);
            if (known != ended_.end() && known->second != text) {
                return fmt::format("{} was '{}' and is '{}'", name, known->second, text);
            }
            if (known == ended_.end() && text.find(" ended ") != text.npos) {
                ended_.emplace(name, text);
            }
        }
        return std::nullopt;
    }

    Verdict all_ended(std::size_t wanted) const {
        if (ended_.size() == wanted) return std::nullopt;
        return fmt::format("{} of {} orders have ended with an outcome", ended_.size(), wanted);
    }

private:
    // Rules are asked after each step, and most steps change nothing here.
    void judge_ledger() {
        const auto text = world_.disk(performer).read(ledger_key).value_or("");
        if (!fresh_outcome_ && text == ledger_) return;
        fresh_outcome_ = false;
        ledger_ = text;
        const auto entries = words(text);
        for (const auto& [correlation, outcome] : outcomes_) {
            const bool there = outcome.entry >= 1 && outcome.entry <= entries.size() &&
                               entries[outcome.entry - 1] == outcome.attempt.key;
            if (there) continue;
            disagreement_ = fmt::format(
                "the outcome of {} names entry {}, but the ledger on disk is [{}]", correlation,
                outcome.entry, text);
        }
        const std::set<std::string_view> distinct{entries.begin(), entries.end()};
        if (distinct.size() < entries.size()) {
            performed_twice_ = fmt::format("the ledger on disk is [{}]", text);
        }
    }

    World& world_;
    std::map<std::string, Outcome> outcomes_; // the first of each correlation id
    std::map<std::string, std::string> ended_;
    std::string ledger_; // as it was when it was last judged
    bool fresh_outcome_ = false;
    Verdict contradiction_;
    Verdict disagreement_;
    Verdict performed_twice_;
};

std::unique_ptr<Plot> stage(World& world, Flaw flaw) {
    const PerformerSettings performing{.flaw = flaw};
    const RequesterSettings requesting{};
    world.add(std::string{performer}, [performing](Host& host) {
        return std::make_unique<Performer>(host, performing);
    });
    world.add(std::string{requester}, [requesting](Host& host) {
        return std::make_unique<Requester>(host, requesting);
    });
    auto record = std::make_unique<Record>(world);
    Record* seen = record.get();
    world.watch([seen](const Sighting& sighting) { seen->see(sighting); });
    world.always("a correlation id has one outcome", [seen] { return seen->one_outcome_each(); });
    world.always("an outcome never contradicts what the performer has on disk", [seen] {
        return seen->outcomes_agree_with_ledger();
    });
    world.always("a command is performed once", [seen] { return seen->performed_once(); });
    world.always("an order that has ended stays as it ended", [seen] {
        return seen->ended_orders_stay_ended();
    });
    world.eventually("every order ends with an outcome", [seen, requesting] {
        return seen->all_ended(requesting.orders);
    });
    return record;
}

template <Flaw flaw>
Scenario with(std::string_view name, std::string_view sentence) {
    return {
        .name = name,
        .sentence = sentence,
        .stage = [](World& world) { return stage(world, flaw); },
        .planted_bug = flaw != Flaw::none};
}

} // namespace

Scenario sound() {
    return with<Flaw::none>(
        "handshake", "every command ends with one outcome, whatever the network and death do");
}

Scenario acks_before_it_persists() {
    return with<Flaw::acks_before_it_persists>(
        "handshake-ack-early", "planted bug: the performer acknowledges before it persists");
}

Scenario performs_every_delivery() {
    return with<Flaw::performs_every_delivery>(
        "handshake-outcome-twice", "planted bug: a duplicate is performed, and answered, again");
}

Scenario announces_before_it_persists() {
    return with<Flaw::announces_before_it_persists>(
        "handshake-outcome-early", "planted bug: the outcome is announced before it is on disk");
}

} // namespace hive::simulation::handshake
