import { describe, expect, it } from 'vitest';
import { ago, bytes, count, durationMs, micros, rate, share, span } from './format';

describe('numbers', () => {
  it('are short, with a unit that fits', () => {
    expect(rate(199.6)).toBe('200/s');
    expect(rate(2.25)).toBe('2.3/s');
    expect(rate(123_456)).toBe('123k/s');
    expect(micros(870)).toBe('870 µs');
    expect(micros(4210)).toBe('4.2 ms');
    expect(micros(2_500_000)).toBe('2.5 s');
    expect(share(0.0046)).toBe('0.46 %');
    expect(bytes(1268)).toBe('1.2 kB');
    expect(count(12_345)).toBe('12,345');
  });
  it('that are not known are a dash', () => {
    expect(rate(undefined)).toBe('–');
    expect(micros(undefined)).toBe('–');
  });
});

describe('times', () => {
  it('are spans that people say', () => {
    expect(span(59_000)).toBe('59 s');
    expect(span(3_600_000)).toBe('1 h');
    expect(span(90_061_000)).toBe('1 d 1 h');
    expect(span(27_459 * 3_600_000)).toBe('1144 d');
    expect(ago('2026-01-05T10:00:00Z', Date.parse('2026-01-05T10:02:00Z'))).toBe('2 min ago');
  });
  it('of scenarios are read as they are written', () => {
    expect(durationMs('250ms')).toBe(250);
    expect(durationMs('1m30s')).toBe(90_000);
    expect(durationMs('PT15S')).toBe(15_000);
  });
});
