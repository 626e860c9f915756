// Numbers and times as people read them.
const whole = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

export function count(value: number | undefined): string {
  return value === undefined ? '–' : whole.format(value);
}

export function rate(value: number | undefined): string {
  if (value === undefined) return '–';
  if (value >= 100_000) return `${whole.format(value / 1000)}k/s`;
  return `${value >= 10 || Number.isInteger(value) ? whole.format(value) : short.format(value)}/s`;
}

export function micros(value: number | undefined): string {
  if (value === undefined) return '–';
  if (value === 0) return '0 ms';
  if (value < 1000) return `${whole.format(value)} µs`;
  if (value < 1_000_000) return `${short.format(value / 1000)} ms`;
  return `${short.format(value / 1_000_000)} s`;
}

export function share(value: number | undefined): string {
  if (value === undefined) return '–';
  return `${value === 0 || value >= 0.1 ? whole.format(value * 100) : (value * 100).toPrecision(2)} %`;
}

export function bytes(value: number): string {
  if (value < 1024) return `${value} B`;
  if (value < 1024 * 1024) return `${short.format(value / 1024)} kB`;
  return `${short.format(value / 1024 / 1024)} MB`;
}

// `3 s`, `12 min`, `4 h 5 min`, `3 d 2 h`, `40 d`: after ten days nobody counts hours.
export function span(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 24) return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`;
  const days = Math.floor(hours / 24);
  return days >= 10 || hours % 24 === 0 ? `${days} d` : `${days} d ${hours % 24} h`;
}

export function ago(time: string | undefined, now: number): string {
  if (time === undefined) return '–';
  const ms = now - Date.parse(time);
  return ms < 1500 ? 'just now' : `${span(ms)} ago`;
}

export function clock(time: string): string {
  return new Date(time).toLocaleTimeString('en-GB');
}
export function dateTime(time: string | undefined): string {
  if (time === undefined) return '–';
  return new Date(time).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
}

// Durations as scenarios write them: 250ms, 5s, 2m, 1h30m, PT15S.
export function durationMs(text: string): number {
  const units: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };
  let total = 0;
  for (const [, value, unit] of text.toLowerCase().replace(/^p?t?/, '').matchAll(/([\d.]+)(ms|s|m|h|d)/g)) {
    total += Number(value) * (units[unit ?? 's'] ?? 0);
  }
  return total;
}
