import type { Message, Pages } from '../../api/colony';

// Pages come the newest first; a message that is there already is replaced, a new one leads.
export function withMessage(pages: Pages<Message> | undefined, message: Message): Pages<Message> | undefined {
  const first = pages?.pages[0];
  if (pages === undefined || first === undefined) return pages;
  if (pages.pages.some((page) => page.items.some((each) => each.id === message.id))) {
    return { ...pages, pages: pages.pages.map((page) => ({ ...page, items: page.items.map((each) => (each.id === message.id ? message : each)) })) };
  }
  return { ...pages, pages: [{ ...first, items: [message, ...first.items] }, ...pages.pages.slice(1)] };
}

export interface Thread {
  root: Message;
  replies: Message[];
}

// The oldest first, replies below what began their thread. A reply whose beginning is not loaded stands alone.
export function threadsOf(messages: Message[]): Thread[] {
  const sorted = [...messages].sort((a, b) => a.createdAt.localeCompare(b.createdAt) || a.id.localeCompare(b.id));
  const byId = new Map<string, Thread>();
  for (const message of sorted) {
    const thread = message.thread === undefined || message.thread === message.id ? undefined : byId.get(message.thread);
    if (thread === undefined) byId.set(message.id, { root: message, replies: [] });
    else thread.replies.push(message);
  }
  return [...byId.values()];
}

// Who was asked to acknowledge and has not.
export function awaited(message: Message): string[] {
  return (message.ackFrom ?? []).filter((bee) => !(message.acks ?? []).some((ack) => ack.bee === bee));
}
