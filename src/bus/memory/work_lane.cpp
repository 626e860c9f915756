#include "bus/memory/work_lane.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace hive::bus::memory {

Ticket WorkLane::front() const {
    assert(!empty());
    if (!returned_.empty()) {
        const auto& [place, first] = *returned_.begin();
        return {place, first.since};
    }
    const Chunk& chunk = *chunks_.front();
    return chunk.tickets[chunk.begin];
}

Delivered& WorkLane::append(const Ticket& ticket) {
    if (chunks_.empty() || chunks_.back()->full()) chunks_.push_back(spare());
    Chunk& chunk = *chunks_.back();
    chunk.tickets[chunk.end] = ticket;
    ++size_;
    return chunk.items[chunk.end++];
}

void WorkLane::put_back(const Ticket& ticket, Delivered delivered) {
    assert(
        chunks_.empty() || ticket.place < chunks_.front()->tickets[chunks_.front()->begin].place);
    returned_.emplace(ticket.place, Returned{std::move(delivered), ticket.since});
    ++size_;
}

wire::WorkItem WorkLane::pop() {
    assert(!empty());
    --size_;
    if (!returned_.empty())
        return std::move(returned_.extract(returned_.begin()).mapped().delivered.item);
    Chunk& chunk = *chunks_.front();
    wire::WorkItem item = std::move(chunk.items[chunk.begin++].item);
    if (chunk.size() == 0) drop_front_chunk();
    return item;
}

ChunkPtr WorkLane::take(std::size_t max) {
    assert(max > 0);
    if (empty()) {
        if (spares_.size() > idle_spares_max) spares_.resize(idle_spares_max);
        return nullptr;
    }
    if (!returned_.empty()) return take_returned(max);
    Chunk& front = *chunks_.front();
    if (front.size() <= max) {
        ChunkPtr whole = std::move(chunks_.front());
        chunks_.pop_front();
        size_ -= whole->size();
        return whole;
    }
    ChunkPtr part = spare();
    for (; part->end < max; ++part->end, ++front.begin) {
        Delivered& from = front.items[front.begin];
        Delivered& to = part->items[part->end];
        to.item.swap(from.item);
        to.attempt = from.attempt;
        to.redelivered = from.redelivered;
        part->tickets[part->end] = front.tickets[front.begin];
    }
    size_ -= max;
    return part;
}

ChunkPtr WorkLane::take_returned(std::size_t max) {
    ChunkPtr part = spare();
    const std::size_t count = std::min({max, returned_.size(), Chunk::capacity});
    for (; part->end < count; ++part->end) {
        auto first = returned_.extract(returned_.begin());
        part->items[part->end] = std::move(first.mapped().delivered);
        part->tickets[part->end] = {first.key(), first.mapped().since};
    }
    size_ -= count;
    return part;
}

std::size_t WorkLane::clear() {
    returned_.clear();
    chunks_.clear();
    return std::exchange(size_, 0);
}

void WorkLane::recycle(ChunkPtr chunk) {
    if (spares_.size() < busy_spares_max) {
        chunk->clear();
        spares_.push_back(std::move(chunk));
    }
}

ChunkPtr WorkLane::spare() {
    if (spares_.empty()) return std::make_unique<Chunk>();
    ChunkPtr chunk = std::move(spares_.back());
    spares_.pop_back();
    return chunk;
}

void WorkLane::drop_front_chunk() {
    ChunkPtr chunk = std::move(chunks_.front());
    chunks_.pop_front();
    recycle(std::move(chunk));
}

} // namespace hive::bus::memory
