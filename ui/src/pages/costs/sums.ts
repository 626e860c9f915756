// What was spent, in numbers: told apart from drawing.
import type { Budget, CostSum } from '../../api/costs';
import { count } from '../../format';

export type Measure = Budget['measure'];
const dayMs = 86_400_000;

// Millionths as an amount: two digits after the point, more for what would be nothing otherwise.
export function money(micros: number | undefined): string {
  if (micros === undefined) return '–';
  const value = micros / 1e6;
  if (value !== 0 && Math.abs(value) < 0.01) return value.toLocaleString('en', { maximumSignificantDigits: 2 });
  return value.toLocaleString('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });
}

export function seconds(value: number): string {
  if (value < 60) return `${Number(value.toPrecision(3))} s`;
  if (value < 3600) return `${Number((value / 60).toPrecision(3))} min`;
  return `${Number((value / 3600).toPrecision(3))} h`;
}

// 1,240 · 12.4k · 3.1M
export function short(value: number): string {
  return value < 10_000 ? count(value) : new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(value);
}

export function tokensOf(sum: Pick<CostSum, 'tokens'>): number {
  return Object.values(sum.tokens ?? {}).reduce((all, each) => all + (each ?? 0), 0);
}

export function amountOf(sum: CostSum, measure: Measure): number {
  return measure === 'money' ? sum.micros : measure === 'tokens' ? tokensOf(sum) : (sum.cpuSeconds ?? 0);
}

export function amountText(value: number | undefined, measure: Measure): string {
  if (value === undefined) return '–';
  return measure === 'money' ? money(value) : measure === 'tokens' ? short(value) : seconds(value);
}

export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10);

// So many days up to now, in UTC as the server counts them.
export function daysBefore(now: number, days: number): string[] {
  return Array.from({ length: days }, (_, index) => dayOf(now - (days - 1 - index) * dayMs));
}

// One value a day, nothing spent included: the chart begins where it is asked to.
export function byDay(sums: CostSum[], days: string[], measure: Measure): { times: number[]; values: number[] } {
  const known = new Map(sums.map((sum) => [sum.day ?? '', amountOf(sum, measure)]));
  return { times: days.map((day) => Date.parse(`${day}T12:00:00Z`) / 1000), values: days.map((day) => known.get(day) ?? 0) };
}

export function totalOf(sums: CostSum[], measure: Measure, since = ''): number {
  return sums.filter((sum) => (sum.day ?? '') >= since).reduce((all, sum) => all + amountOf(sum, measure), 0);
}

// Each currency by itself, never added up: `0.40 EUR + 0.70 USD`. One alone needs no name.
export function moneyText(parts: { micros: number; currency?: string | undefined }[]): string {
  const sums = new Map<string, number>();
  for (const { micros, currency = '' } of parts) sums.set(currency, (sums.get(currency) ?? 0) + micros);
  const spent = [...sums].filter(([, micros]) => micros !== 0);
  if (spent.length <= 1) return money(spent[0]?.[1] ?? 0);
  return spent.map(([currency, micros]) => `${money(micros)} ${currency}`.trim()).join(' + ');
}

export function totalMoney(sums: CostSum[], since = ''): string {
  return moneyText(sums.filter((sum) => (sum.day ?? '') >= since).flatMap((sum) => [
    { micros: sum.micros, currency: sum.currency },
    ...Object.entries(sum.otherMoney ?? {}).map(([currency, micros]) => ({ micros, currency })),
  ]));
}

// The largest first; the rest is one line.
export function largest(sums: CostSum[], measure: Measure, most: number): { top: CostSum[]; rest: number; restCount: number } {
  const sorted = sums.filter((sum) => amountOf(sum, measure) > 0).sort((a, b) => amountOf(b, measure) - amountOf(a, measure));
  const tail = sorted.slice(most);
  return { top: sorted.slice(0, most), rest: tail.reduce((all, sum) => all + amountOf(sum, measure), 0), restCount: tail.length };
}

// A limit is counted in what its measure is kept in; people say amounts, tokens and seconds.
export const unitOf: Record<Measure, number> = { money: 1e6, tokens: 1, cpu: 1e6 };

export function limitText(value: number, measure: Measure): string {
  return measure === 'money' ? money(value) : measure === 'tokens' ? short(value) : seconds(value / 1e6);
}

export interface Spent {
  subject: string;
  period: string;
  spent: number;
  limit: number;
  share: number;
  state: 'fine' | 'warn' | 'over';
  approval?: string;
}

// What a budget has been used for, those that are nearest to their end first.
export function spentOf(budget: Budget): Spent[] {
  return (budget.spendings ?? [])
    .map((each): Spent => {
      const limit = budget.limit + (each.granted ?? 0);
      const share = limit === 0 ? 0 : each.spent / limit;
      return {
        subject: each.subject ?? '', period: each.period, spent: each.spent, limit, share,
        state: share >= 1 ? 'over' : share * 100 >= budget.warnPercent ? 'warn' : 'fine',
        ...(each.approval === undefined || each.approval === '' ? {} : { approval: each.approval }),
      };
    })
    .sort((a, b) => b.share - a.share);
}

export function scopeText(budget: Pick<Budget, 'scope' | 'subject' | 'period'>): string {
  const whose = budget.scope === 'hive' ? 'the whole hive' : budget.subject === '*' ? `each ${budget.scope}` : `${budget.scope} ${budget.subject}`;
  return `${whose}, ${budget.period === 'day' ? 'a day' : 'in all'}`;
}
