import { describe, expect, it } from 'vitest';
import { isSwollen, pageMax, type Message, type Pages } from '../../api/colony';
import { awaited, threadsOf, withMessage } from './thread';

const said = (id: string, parts: Partial<Message> = {}): Message => ({
  id, channel: 'general', sender: 'BEE-1', content: id, type: 'text', createdAt: `2026-01-01T00:00:0${id}Z`, ...parts,
});

describe('a channel', () => {
  it('is read from the oldest, replies below what they answer', () => {
    const threads = threadsOf([said('4', { thread: '1' }), said('3'), said('2', { thread: '1' }), said('1')]);
    expect(threads.map((each) => each.root.id)).toEqual(['1', '3']);
    expect(threads[0]?.replies.map((each) => each.id)).toEqual(['2', '4']);
  });
  it('shows a reply alone whose beginning is not loaded', () => {
    expect(threadsOf([said('4', { thread: '1' })]).map((each) => each.root.id)).toEqual(['4']);
  });
  it('takes a new message in front, and a known one in its place', () => {
    const pages = { pages: [{ items: [said('2')] }, { items: [said('1')] }], pageParams: ['', 'x'] };
    expect(withMessage(pages, said('3'))?.pages[0]?.items.map((each) => each.id)).toEqual(['3', '2']);
    expect(withMessage(pages, said('1', { overdue: true }))?.pages[1]?.items[0]?.overdue).toBe(true);
    expect(withMessage(undefined, said('1'))).toBeUndefined();
  });
  it('is asked for anew when it has grown too long', () => {
    let pages: Pages<Message> | undefined = { pages: [{ items: [] }], pageParams: [''] };
    for (let number = 0; number < pageMax; number += 1) pages = withMessage(pages, said(String(number)));
    expect(isSwollen(pages)).toBe(false);
    expect(isSwollen(withMessage(pages, said('last')))).toBe(true);
    expect(isSwollen(undefined)).toBe(false);
  });
  it('knows who has not acknowledged', () => {
    expect(awaited(said('1', { ackFrom: ['a', 'b'], acks: [{ bee: 'a', at: '' }] }))).toEqual(['b']);
    expect(awaited(said('1'))).toEqual([]);
  });
});
