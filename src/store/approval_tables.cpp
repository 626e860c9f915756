#include "store/approval_tables.hpp"

#include "store/columns.hpp"
#include "store/repository.hpp"

#include <fmt/format.h>

namespace hive::store {
namespace {

using colony::approvals::Approval;
using colony::approvals::ApprovalQuery;
using colony::approvals::Carry;
using colony::approvals::from_stored;
using colony::approvals::Link;
using colony::approvals::Rule;
using colony::approvals::Rules;
using colony::approvals::State;

std::int64_t limit_of(std::size_t limit) {
    return static_cast<std::int64_t>(limit);
}

// The texts of one row, which borrows them.
struct ApprovalRow {
    explicit ApprovalRow(const Approval& from)
        : approval{&from}, key{colony::approvals::key_of(from.act, from.requester)},
          body{to_stored(from)} {}

    bool is_open() const { return approval->state == State::open; }
    // Questions are never the same: only acts have a key.
    Value act_key() const {
        const bool keyed = is_open() && approval->act.what != colony::approvals::question;
        return keyed ? Value{std::string_view{key}} : Value{Null{}};
    }
    Value due() const { return is_open() ? Value{as_column(approval->stage_ends)} : Value{Null{}}; }
    Value carry() const {
        return approval->carry == Carry::pending ? Value{name_of(approval->carry)} : Value{Null{}};
    }

    const Approval* approval;
    std::string key;
    std::string body;
};

} // namespace

Result<std::vector<Approval>> ApprovalTable::select(std::string_view rest, Params params) const {
    return read_bodies(
        *session_, fmt::format("SELECT body FROM colony_approval WHERE {}", rest), params,
        from_stored);
}

Status ApprovalTable::insert(const Approval& approval) {
    const ApprovalRow row{approval};
    return nothing_but(session_->execute(
        "INSERT INTO colony_approval (hive, id, state, act, entity, requester, rule, revision, "
        "act_key, due, carry, body) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        {hive_.text(), approval.id, name_of(approval.state), approval.act.what,
         approval.act.entity_id, approval.requester.id, approval.rule, as_column(approval.revision),
         row.act_key(), row.due(), row.carry(), row.body}));
}

Result<bool> ApprovalTable::update(const Approval& approval) {
    const ApprovalRow row{approval};
    const auto changed = session_->execute(
        "UPDATE colony_approval SET state = $3, revision = $4, act_key = $5, due = $6, carry = $7, "
        "body = $8 WHERE hive = $1 AND id = $2 AND revision = $9",
        {hive_.text(), approval.id, name_of(approval.state), as_column(approval.revision),
         row.act_key(), row.due(), row.carry(), row.body, as_column(approval.revision - 1)});
    if (!changed) return fail(changed.error());
    return *changed == 1;
}

Result<std::optional<Approval>> ApprovalTable::find(std::string_view id) const {
    return first_of(select("hive = $1 AND id = $2", {hive_.text(), id}));
}

Result<std::optional<Approval>> ApprovalTable::open_with_key(std::string_view key) const {
    return first_of(select("act_key = $2 AND hive = $1", {hive_.text(), key}));
}

Result<std::vector<Approval>> ApprovalTable::list(const ApprovalQuery& query) const {
    Filter filter{hive_.text()};
    if (query.state) filter.add("state = {}", name_of(*query.state));
    if (!query.requester.empty()) filter.add("requester = {}", query.requester);
    if (!query.act.empty()) filter.add("act = {}", query.act);
    if (!query.entity.empty()) filter.add("entity = {}", query.entity);
    if (!query.rule.empty()) filter.add("rule = {}", query.rule);
    if (!query.after.empty()) filter.add("id < {}", query.after);
    const std::string limit = filter.parameter(limit_of(query.limit));
    return select(
        fmt::format("{} ORDER BY id DESC LIMIT {}", filter.where(), limit), filter.params());
}

Result<std::vector<Approval>> ApprovalTable::due(Timestamp now, std::size_t limit) const {
    return select(
        "due IS NOT NULL AND due <= $2 AND hive = $1 ORDER BY due LIMIT $3",
        {hive_.text(), as_column(now), limit_of(limit)});
}

Result<std::vector<Approval>> ApprovalTable::pending(std::size_t limit) const {
    return select(
        "carry IS NOT NULL AND hive = $1 ORDER BY id LIMIT $2", {hive_.text(), limit_of(limit)});
}

Status ApprovalRuleTable::put(const Rule& rule) {
    const std::string body = to_text(to_json(rule));
    return nothing_but(session_->execute(
        "INSERT INTO colony_approval_rule (hive, id, body) VALUES ($1, $2, $3) "
        "ON CONFLICT (hive, id) DO UPDATE SET body = $3",
        {hive_.text(), rule.id, body}));
}

Result<bool> ApprovalRuleTable::remove(std::string_view id) {
    const auto gone = session_->execute(
        "DELETE FROM colony_approval_rule WHERE hive = $1 AND id = $2", {hive_.text(), id});
    if (!gone) return fail(gone.error());
    return *gone == 1;
}

Result<Rules> ApprovalRuleTable::all() const {
    auto rules = read_bodies(
        *session_, "SELECT body FROM colony_approval_rule WHERE hive = $1", {hive_.text()},
        colony::approvals::rule_from_stored);
    if (rules) sort_rules(*rules);
    return rules;
}

Status ApprovalLinkTable::insert(const Link& link) {
    return nothing_but(session_->execute(
        "INSERT INTO colony_approval_link (hive, word, approval, person, role, made_by, expires) "
        "VALUES ($1, $2, $3, $4, $5, $6, $7)",
        {hive_.text(), as_column(ByteView{link.word}), link.approval, link.person.id,
         accounts::name_of(link.person.role), link.made_by, as_column(link.expires)}));
}

Result<std::optional<Link>> ApprovalLinkTable::find(const Digest& word) const {
    std::optional<Link> link;
    Status good{};
    const auto read = session_->query(
        "SELECT approval, person, role, made_by, expires, used FROM colony_approval_link "
        "WHERE hive = $1 AND word = $2",
        {hive_.text(), as_column(ByteView{word})}, [&](const Row& row) {
            const auto role = accounts::parse_role(row.text(2));
            if (!role) {
                good = fail(role.error());
                return;
            }
            link = Link{
                .word = word,
                .approval = std::string{row.text(0)},
                .person = {std::string{row.text(1)}, *role},
                .made_by = std::string{row.text(3)},
                .expires = time_at(row, 4),
                .used = time_if(row, 5)};
        });
    if (!read) return fail(read.error());
    if (!good) return fail(good.error());
    return link;
}

Result<bool> ApprovalLinkTable::use(const Digest& word, Timestamp now) {
    const auto used = session_->execute(
        "UPDATE colony_approval_link SET used = $3 WHERE hive = $1 AND word = $2 AND used IS NULL",
        {hive_.text(), as_column(ByteView{word}), as_column(now)});
    if (!used) return fail(used.error());
    return *used == 1;
}

Status ApprovalLinkTable::forget(Timestamp expired_before) {
    return nothing_but(session_->execute(
        "DELETE FROM colony_approval_link WHERE expires < $2 AND hive = $1",
        {hive_.text(), as_column(expired_before)}));
}

} // namespace hive::store
