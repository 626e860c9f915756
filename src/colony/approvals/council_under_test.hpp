#pragma once

#include "colony/approvals/deciding.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace hive::colony::approvals {

// Requests and links in memory, for tests.
class Shelf final : public ApprovalRepository, public LinkRepository {
public:
    Status insert(const Approval& approval) override {
        all.insert_or_assign(approval.id, approval);
        return {};
    }
    Result<bool> update(const Approval& approval) override {
        auto& kept = all.at(approval.id);
        if (kept.revision + 1 != approval.revision) return false;
        kept = approval;
        return true;
    }
    Result<std::optional<Approval>> find(std::string_view id) const override {
        const auto found = all.find(std::string{id});
        return found == all.end() ? std::nullopt : std::optional{found->second};
    }
    Result<std::optional<Approval>> open_with_key(std::string_view key) const override {
        for (const auto& [id, one] : all) {
            if (one.state == State::open && key_of(one.act, one.requester) == key) return one;
        }
        return std::optional<Approval>{};
    }
    Result<std::vector<Approval>> list(const ApprovalQuery& query) const override {
        return those([&](const Approval& one) {
            return (!query.state || one.state == *query.state) &&
                   (query.entity.empty() || one.act.entity_id == query.entity);
        });
    }
    Result<std::vector<Approval>> due(Timestamp now, std::size_t /*limit*/) const override {
        return those(
            [&](const Approval& one) { return one.state == State::open && one.stage_ends <= now; });
    }
    Result<std::vector<Approval>> pending(std::size_t /*limit*/) const override {
        return those([](const Approval& one) { return one.carry == Carry::pending; });
    }

    Status insert(const Link& link) override {
        links.insert_or_assign(link.word, link);
        return {};
    }
    Result<std::optional<Link>> find(const Digest& word) const override {
        const auto found = links.find(word);
        return found == links.end() ? std::nullopt : std::optional{found->second};
    }
    Result<bool> use(const Digest& word, Timestamp now) override {
        auto& link = links.at(word);
        if (link.used) return false;
        link.used = now;
        return true;
    }
    Status forget(Timestamp /*expired_before*/) override { return {}; }

    std::map<std::string, Approval> all;
    std::map<Digest, Link> links;

private:
    template <class Wanted>
    std::vector<Approval> those(Wanted wanted) const {
        std::vector<Approval> found;
        for (const auto& [id, one] : all) {
            if (wanted(one)) found.push_back(one);
        }
        return found;
    }
};

// A council on virtual time; each act is one moment of somebody.
class CouncilUnderTest {
public:
    template <class F>
    auto as(const Actor& who, F work) {
        Moment moment{who, now, random};
        Council council{shelf, shelf, moment};
        auto done = work(council);
        for (auto& event : moment.events()) said.push_back(event.type);
        held = moment.held();
        return done;
    }
    // Asks the gate about an act; its request, when it is held back.
    Verdict ask(const Actor& who, const Act& act) {
        return as(who, [&](Council& council) {
            RuleGate gate{[&] { return std::make_shared<const Rules>(rules); }, shelf};
            return gate.ask(act, council.moment).value();
        });
    }
    std::string held_by(const Actor& who, const Act& act) {
        const Verdict verdict = ask(who, act);
        REQUIRE(std::holds_alternative<Held>(verdict));
        return std::get<Held>(verdict).approval;
    }
    Outcome<Approval> vote(const Actor& who, const std::string& id, bool approve) {
        return as(who, [&](Council& council) {
            return decide(council, id, {.who = who, .approve = approve, .comment = "because"});
        });
    }
    const Approval& found(const std::string& id) const { return shelf.all.at(id); }

    Shelf shelf;
    Rules rules;
    Timestamp now{std::chrono::seconds{1'750'000'000}};
    Random random{11};
    std::vector<std::string> said;
    std::string held;
};

} // namespace hive::colony::approvals
