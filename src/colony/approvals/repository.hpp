#pragma once

#include "colony/approvals/approval.hpp"
#include "kernel/digest.hpp"

namespace hive::colony::approvals {

struct ApprovalQuery {
    std::optional<State> state{};
    std::string requester{}; // empty: any
    std::string act{};
    std::string entity{}; // the id of what it is about
    std::string rule{};
    std::string after{}; // the id of the last one before; newest first
    std::size_t limit = 100;
};

// Storage as the approvals of one hive need it, within one unit of work.
class ApprovalRepository {
public:
    virtual ~ApprovalRepository() = default;

    virtual Status insert(const Approval& approval) = 0;
    // False: it is no longer at the revision before this one.
    virtual Result<bool> update(const Approval& approval) = 0;
    virtual Result<std::optional<Approval>> find(std::string_view id) const = 0;
    virtual Result<std::optional<Approval>> open_with_key(std::string_view key) const = 0;
    virtual Result<std::vector<Approval>> list(const ApprovalQuery& query) const = 0;
    virtual Result<std::vector<Approval>> due(Timestamp now, std::size_t limit) const = 0;
    // Decided, and still to be carried out; the oldest first.
    virtual Result<std::vector<Approval>> pending(std::size_t limit) const = 0;
};

class RuleRepository {
public:
    virtual ~RuleRepository() = default;

    virtual Status put(const Rule& rule) = 0;
    virtual Result<bool> remove(std::string_view id) = 0; // false: there is none
    virtual Result<Rules> all() const = 0;
};

// A link that lets one person decide one request once. Its word is not kept.
struct Link {
    Digest word{};
    std::string approval;
    Actor person{};
    std::string made_by;
    Timestamp expires{};
    std::optional<Timestamp> used{};

    bool operator==(const Link&) const = default;
};

class LinkRepository {
public:
    virtual ~LinkRepository() = default;

    virtual Status insert(const Link& link) = 0;
    virtual Result<std::optional<Link>> find(const Digest& word) const = 0;
    virtual Result<bool> use(const Digest& word, Timestamp now) = 0; // false: it was used before
    virtual Status forget(Timestamp expired_before) = 0;
};

} // namespace hive::colony::approvals
