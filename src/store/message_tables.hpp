#pragma once

#include "colony/channels/posting.hpp"
#include "kernel/id.hpp"
#include "store/session.hpp"

namespace hive::store {

class MessageTable final : public colony::channels::MessageRecords,
                           public colony::channels::Reading,
                           public colony::channels::Speech {
public:
    MessageTable(Session& session, HiveId hive) : session_{&session}, hive_{std::move(hive)} {}

    using Message = colony::channels::Message;

    colony::channels::MessageBook book() noexcept { return {*this, *this, *this}; }

    Status insert(const Message& message) override;
    Status update(const Message& message) override;
    Result<std::optional<Message>> find(std::string_view id) const override;
    Result<std::string> newest() const override;
    Result<std::vector<Message>> list(const colony::channels::MessageQuery& query) const override;
    Result<std::vector<colony::channels::ChannelSummary>>
    channels(std::string_view after, std::size_t limit) const override;
    Result<std::vector<Message>> overdue(Timestamp now, std::size_t limit) const override;

    Result<std::string> cursor(std::string_view reader, std::string_view channel) const override;
    Status move_cursor(
        std::string_view reader, std::string_view channel, std::string_view message) override;
    Result<std::uint64_t> unread(std::string_view reader, std::string_view channel) const override;

    Result<colony::channels::Spoken> spoken(std::string_view bee) const override;
    Status keep_spoken(std::string_view bee, const colony::channels::Spoken& spoken) override;

private:
    Result<std::vector<Message>> select(std::string_view rest, Params params) const;

    Session* session_;
    HiveId hive_;
};

} // namespace hive::store
