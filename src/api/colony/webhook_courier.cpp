#include "api/colony/webhook_courier.hpp"

#include "colony/webhooks/format.hpp"
#include "kernel/text.hpp"

#include <algorithm>

namespace hive::rest {
namespace {

using namespace colony::webhooks;

constexpr Duration glance = std::chrono::milliseconds{100};
constexpr Duration look_every = std::chrono::seconds{1};
constexpr Duration prune_every = std::chrono::seconds{30};

Status status_of(const colony::Outcome<void>& done) {
    return done ? Status{} : fail(done.error().kind, done.error().detail);
}

std::string_view header_of(const web::Answer& answer, std::string_view name) {
    const auto found = std::ranges::find(answer.headers, name, &web::Field::name);
    return found == answer.headers.end() ? std::string_view{} : std::string_view{found->value};
}

// That nobody answered is an answer too. Errc::closed is none: we stopped, not they.
Result<Reply> reply_of(const Result<web::Answer>& answer, Timestamp sent, Timestamp now) {
    Reply reply{.attempt = {.at = sent, .took = std::max(now - sent, Duration::zero())}};
    if (!answer && answer.error().code == Errc::closed) return fail(answer.error());
    if (!answer) {
        reply.attempt.answer = printable(answer.error().detail, answer_bytes_kept);
        return reply;
    }
    reply.attempt.status = answer->status;
    reply.attempt.answer = printable(answer->body, answer_bytes_kept);
    reply.retry_after = parse_retry_after(header_of(*answer, "retry-after"), now);
    return reply;
}

} // namespace

bool WebhookCourier::is_time() {
    const TimePoint now = transactions_->clock().now();
    const bool news = parts_.outbox.take_news();
    if (!news && now < look_at_) return false;
    look_at_ = now + look_every;
    return true;
}

Chore WebhookCourier::deliveries() {
    const auto self = shared_from_this();
    return {
        .name = "webhooks",
        .every = glance,
        .work = as_chore(parts_.outbox.hive(), [self](Unit& unit) { return self->collect(unit); }),
        .wanted = [self] { return self->is_time(); },
        .after = [self] { self->dispatch(); }};
}

Chore WebhookCourier::log() {
    const auto work = [self = shared_from_this()](Unit& unit) -> Status {
        WebhookOffice office{unit, self->parts_.policy};
        const auto all = (*office).endpoints.list();
        if (!all) return fail(all.error());
        for (const Endpoint& endpoint : *all) {
            if (auto ok = status_of(prune(*office, endpoint)); !ok) return ok;
        }
        return {};
    };
    return {
        .name = "webhook log", .every = prune_every, .work = as_chore(parts_.outbox.hive(), work)};
}

Status WebhookCourier::collect(Unit& unit) {
    taken_.clear();
    parts_.outbox.forget();
    WebhookOffice office{unit, parts_.policy};
    const auto all = (*office).endpoints.list();
    if (!all) return fail(all.error());
    for (const Endpoint& endpoint : *all) {
        const std::size_t room = endpoint.enabled ? room_for(endpoint.id) : 0;
        if (room == 0) continue;
        auto due = take(*office, endpoint, room);
        if (!due) return fail(due.error().kind, due.error().detail);
        for (Delivery& delivery : *due) taken_.push_back({endpoint, std::move(delivery)});
    }
    return {};
}

std::size_t WebhookCourier::room_for(const std::string& endpoint) {
    const std::lock_guard lock{mutex_};
    const auto found = under_way_.find(endpoint);
    const std::size_t now = found == under_way_.end() ? 0 : found->second;
    return parts_.policy.under_way_max - std::min(now, parts_.policy.under_way_max);
}

void WebhookCourier::close() {
    const std::lock_guard lock{dispatching_};
    closed_ = true;
}

void WebhookCourier::dispatch() {
    for (const Parcel& parcel : std::exchange(taken_, {})) {
        {
            const std::lock_guard lock{mutex_};
            ++under_way_[parcel.endpoint.id];
        }
        send(parcel);
    }
}

// Takes one of the places of its endpoint, which is free again when nothing follows it. What is not
// sent any more, because we close, is due again when its time is over.
void WebhookCourier::send(const Parcel& parcel) {
    const std::lock_guard sending{dispatching_};
    if (closed_) return;
    const Timestamp now = transactions_->clock().wall();
    auto message = signed_message(parcel.endpoint, parcel.delivery, now);
    if (!message) return answered(parcel, now, fail(message.error()));
    web::Request request{
        .method = "POST",
        .url = parcel.endpoint.url,
        .headers = {{"User-Agent", "PocketHive-Webhooks"}},
        .body = std::move(message->body),
        .within = parts_.policy.attempt_within,
        .answer_bytes_max = answer_bytes_max};
    for (auto& [name, value] : message->headers) {
        request.headers.push_back({std::move(name), std::move(value)});
    }
    parts_.web.send(
        std::move(request), [self = shared_from_this(), parcel, now](Result<web::Answer> answer) {
            self->answered(parcel, now, answer);
        });
}

void WebhookCourier::answered(
    const Parcel& parcel, Timestamp sent, const Result<web::Answer>& answer) {
    const auto reply = reply_of(answer, sent, transactions_->clock().wall());
    const auto next = std::make_shared<std::optional<Parcel>>();
    const auto work = [self = shared_from_this(), id = parcel.delivery.id,
                       webhook = parcel.endpoint.id, reply, next](Unit& unit) -> Status {
        next->reset();
        WebhookOffice office{unit, self->parts_.policy};
        if (!reply) return status_of(give_back(*office, id));
        if (auto ok = status_of(conclude(*office, id, *reply)); !ok) return ok;
        if (!unit.moment().events().empty()) self->parts_.outbox.forget(); // it was disabled
        return self->follow(*office, webhook, *next);
    };
    const auto ended = [self = shared_from_this(), webhook = parcel.endpoint.id,
                        next](const Status& status) {
        if (status && *next) return self->send(**next);
        self->leave(webhook);
    };
    // A store that cannot take it now sees the delivery due again: at least once.
    auto taken = transactions_->change(
        Cause{.actor = "system:hive"}, as_chore(parts_.outbox.hive(), work), ended);
    if (!taken) leave(parcel.endpoint.id);
}

// The next delivery in the place of one that has ended, in the same transaction.
Status WebhookCourier::follow(
    Office& office, const std::string& webhook, std::optional<Parcel>& next) const {
    auto endpoint = office.endpoints.find(webhook);
    if (!endpoint) return fail(endpoint.error());
    if (!*endpoint || !(*endpoint)->enabled) return {};
    auto due = take(office, **endpoint, 1);
    if (!due) return fail(due.error().kind, due.error().detail);
    if (!due->empty()) next = Parcel{**std::move(endpoint), std::move(due->front())};
    return {};
}

void WebhookCourier::leave(const std::string& webhook) {
    const std::lock_guard lock{mutex_};
    auto& count = under_way_[webhook];
    if (--count == 0) under_way_.erase(webhook);
}

} // namespace hive::rest
