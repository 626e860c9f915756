import { describe, expect, it } from 'vitest';
import type { Budget, CostSum } from '../../api/costs';
import { amountText, byDay, daysBefore, largest, limitText, money, scopeText, seconds, short, spentOf, tokensOf, totalMoney, totalOf } from './sums';

const day = (name: string, micros: number, input = 0): CostSum => ({ day: name, records: 1, micros, currency: 'EUR', tokens: { input, output: 10 } });

describe('amounts', () => {
  it('are said with as many digits as they need', () => {
    expect([0, 12_345_678, 1_234, 5_000_000_000].map(money)).toEqual(['0.00', '12.35', '0.0012', '5,000.00']);
    expect([2.5, 90, 5400].map(seconds)).toEqual(['2.5 s', '1.5 min', '1.5 h']);
    expect([1240, 12_400, 3_100_000].map(short)).toEqual(['1,240', '12.4K', '3.1M']);
    expect(amountText(12_400, 'tokens')).toBe('12.4K');
    expect(limitText(60e6, 'cpu')).toBe('1 min');
  });
  it('in two currencies are never one sum', () => {
    const mixed: CostSum = { ...day('2026-01-05', 400_000), otherMoney: { USD: 700_000 } };
    expect(totalMoney([mixed, day('2026-01-06', 100_000)])).toBe('0.50 EUR + 0.70 USD');
    expect(totalMoney([mixed, day('2026-01-06', 100_000)], '2026-01-06')).toBe('0.10');
    expect(totalMoney([])).toBe('0.00');
  });
  it('of tokens are all kinds together', () => {
    expect(tokensOf(day('2026-01-05', 1, 90))).toBe(100);
    expect(tokensOf({})).toBe(0);
  });
});

describe('days', () => {
  const days = daysBefore(Date.parse('2026-01-05T01:00:00Z'), 3);
  it('are those of the server, up to today', () => {
    expect(days).toEqual(['2026-01-03', '2026-01-04', '2026-01-05']);
  });
  it('on which nothing was spent are there too', () => {
    expect(byDay([day('2026-01-05', 7)], days, 'money').values).toEqual([0, 0, 7]);
  });
  it('are added up from one on', () => {
    expect(totalOf([day('2026-01-03', 1), day('2026-01-05', 7)], 'money', '2026-01-04')).toBe(7);
  });
});

describe('the largest', () => {
  it('come first, and what is left is one sum', () => {
    const sums = [3, 9, 0, 5].map((micros, index) => ({ bee: `b${index}`, records: 1, micros, currency: 'EUR' }));
    const { top, rest, restCount } = largest(sums, 'money', 2);
    expect(top.map((sum) => sum.bee)).toEqual(['b1', 'b3']);
    expect([rest, restCount]).toEqual([3, 1]);
  });
});

describe('a budget', () => {
  const budget: Budget = {
    id: '1', name: 'n', scope: 'bee', subject: '*', period: 'day', measure: 'money', limit: 100, warnPercent: 80, action: 'stop', enabled: true,
    createdBy: 'x', createdAt: '', revision: 1,
    spendings: [
      { budget: '1', subject: 'a', period: '2026-01-05', spent: 85 },
      { budget: '1', subject: 'b', period: '2026-01-05', spent: 100, granted: 100 },
      { budget: '1', subject: 'c', period: '2026-01-05', spent: 130, approval: 'x1' },
    ],
  };
  it('says who is near its end first, with what was granted', () => {
    expect(spentOf(budget).map((each) => [each.subject, each.state])).toEqual([['c', 'over'], ['a', 'warn'], ['b', 'fine']]);
    expect(spentOf(budget)[0]?.approval).toBe('x1');
  });
  it('says whose it is', () => {
    expect(scopeText(budget)).toBe('each bee, a day');
    expect(scopeText({ scope: 'hive', subject: '*', period: 'total' })).toBe('the whole hive, in all');
  });
});
