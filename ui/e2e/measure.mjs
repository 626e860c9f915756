// node measure.mjs [soak minutes] [first,pixel,soak,many]: how quick the dashboard is, printed; against a hive of its own, in a real browser.
import { accessible, openBrowser, until, watchedPage } from './browser.mjs';
import { Hive } from './hive.mjs';

const soakMinutes = Number(process.argv[2] ?? 3);
const parts = (process.argv[3] ?? 'first,pixel,soak,many').split(',');
const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
function spread(values, unit = 'ms', digits = 0) {
  const sorted = [...values].sort((a, b) => a - b);
  const text = (value) => `${value.toFixed(digits)} ${unit}`;
  return `median ${text(at(sorted, 0.5))}, p95 ${text(at(sorted, 0.95))}, worst ${text(sorted[sorted.length - 1])} (${values.length})`;
}

// When a selector is first there and drawn, in the page's own time: two frames after it came.
const whenDrawn = (selector) => {
  globalThis.drawnAt = new Promise((done) => {
    const look = () => {
      if (document.querySelector(selector) === null) return requestAnimationFrame(look);
      requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now())));
    };
    look();
  });
};

async function firstView(browser, hive, state) {
  for (const [name, path, selector] of [['swarms', '/swarms', '.swarm-row .name-link'], ['feed', '/feed', '.feed-item'], ['board', '/tasks', '.task-card']]) {
    const times = [];
    let bytes = 0;
    for (let round = 0; round < 7; round += 1) {
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, storageState: state });
      const page = await context.newPage();
      bytes = 0;
      page.on('response', (response) => { bytes += Number(response.headers()['content-length'] ?? 0); });
      await page.addInitScript(whenDrawn, selector);
      await page.goto(hive.url + path);
      times.push(await page.evaluate(() => globalThis.drawnAt));
      await context.close();
    }
    console.log(`first view of ${name}, nothing cached, data drawn: ${spread(times)}, ${Math.round(bytes / 1000)} kB`);
  }
}

// From the moment an event was recorded on the server to the frame that shows it. One machine, one clock.
async function eventToPixel(page, hive) {
  await page.evaluate(() => {
    globalThis.seen = new Map();
    const look = () => {
      for (const [, word] of document.body.textContent.matchAll(/(probe-\d+)\./g)) {
        if (globalThis.seen.has(word)) continue;
        globalThis.seen.set(word, undefined);
        requestAnimationFrame(() => setTimeout(() => globalThis.seen.set(word, Date.now())));
      }
    };
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true, characterData: true });
  });
  const probe = async (word, act) => {
    const recorded = Date.parse((await act(word)).createdAt);
    await until(() => page.evaluate((name) => globalThis.seen.get(name) !== undefined, word), `${word} is seen`);
    return (await page.evaluate((name) => globalThis.seen.get(name), word)) - recorded;
  };
  const go = async (path, selector) => {
    await page.evaluate((to) => {
      history.pushState(null, '', to);
      dispatchEvent(new PopStateEvent('popstate'));
    }, path);
    await page.waitForSelector(selector);
  };
  const kinds = [
    ['a message in the feed', '/feed', '.feed-item', (word) => hive.ask('POST', '/channels/probe/messages', { content: `${word}.` })],
    ['a task on the board', '/tasks', '.task-card', (word) => hive.ask('POST', '/tasks', { title: `${word}.` })],
    ['a message in its channel', '/channels/probe', '.message', (word) => hive.ask('POST', '/channels/probe/messages', { content: `${word}.` })],
  ];
  let number = 0;
  for (const [name, path, selector, act] of kinds) {
    await go(path, selector);
    const times = [];
    for (let round = 0; round < 20; round += 1) {
      number += 1;
      times.push(await probe(`probe-${number}`, act));
      await new Promise((next) => setTimeout(next, 500));
    }
    console.log(`event to pixel, ${name}: ${spread(times)}`);
  }
}

// Frames while something is scrolled from top to bottom and back, and the longest task of the main thread.
async function scrolling(page, name, selector) {
  const result = await page.evaluate(async (which) => {
    const element = document.querySelector(which);
    const tasks = [];
    const observer = new PerformanceObserver((list) => list.getEntries().forEach((entry) => tasks.push(entry.duration)));
    observer.observe({ entryTypes: ['longtask'] });
    const frames = [];
    let before = performance.now();
    const length = 180;
    for (let frame = 0; frame < length; frame += 1) {
      await new Promise((next) => requestAnimationFrame(next));
      const now = performance.now();
      frames.push(now - before);
      before = now;
      const way = frame < length / 2 ? frame / (length / 2) : 2 - frame / (length / 2);
      element.scrollTop = way * (element.scrollHeight - element.clientHeight);
    }
    observer.disconnect();
    return { frames: frames.slice(1), tasks, nodes: document.querySelectorAll('*').length, drawn: element.querySelectorAll('[role=row], .task-card, .feed-item').length };
  }, selector);
  console.log(`scrolling ${name}: frames ${spread(result.frames, 'ms', 1)}; ${result.tasks.length} tasks over 50 ms${result.tasks.length === 0 ? '' : `, longest ${Math.max(...result.tasks).toFixed(0)} ms`}; ${result.drawn} rows drawn, ${result.nodes} elements in the page`);
}

// Charts hold so many minutes, one point a second; until they are full a page grows as it should.
const chartsFullMin = 15;

// MB an hour, by least squares.
function slopeOf(samples) {
  const mean = (of) => samples.reduce((sum, each) => sum + of(each), 0) / samples.length;
  const [m, y] = [mean((each) => each.minute), mean((each) => each.megabytes)];
  const spreadOf = samples.reduce((sum, each) => sum + (each.minute - m) ** 2, 0);
  return spreadOf === 0 ? 0 : (60 * samples.reduce((sum, each) => sum + (each.minute - m) * (each.megabytes - y), 0)) / spreadOf;
}

async function soak(context, page, hive) {
  await page.goto(`${hive.url}/swarms/busy`);
  await page.waitForSelector('.chart canvas');
  const session = await context.newCDPSession(page);
  await session.send('HeapProfiler.enable');
  const sample = async (began) => {
    // Twice: what the first round finds unreachable may hold on to more until the second.
    await session.send('HeapProfiler.collectGarbage');
    await session.send('HeapProfiler.collectGarbage');
    const heap = await session.send('Runtime.getHeapUsage');
    const counters = await session.send('Memory.getDOMCounters');
    const kept = heap.usedSize + (heap.embedderHeapUsedSize ?? 0) + (heap.backingStorageSize ?? 0);
    return { minute: (Date.now() - began) / 60_000, megabytes: kept / 1e6, nodes: counters.nodes, listeners: counters.jsEventListeners };
  };
  const samples = [];
  const began = Date.now();
  for (let next = 0; next <= soakMinutes * 60; next += 15) {
    await new Promise((done) => setTimeout(done, Math.max(0, began + next * 1000 - Date.now())));
    samples.push(await sample(began));
  }
  const [first, last] = [samples[0], samples[samples.length - 1]];
  const full = soakMinutes >= 2 * chartsFullMin;
  const settled = full ? samples.filter((each) => each.minute >= chartsFullMin) : samples.slice(Math.floor(samples.length / 2));
  const text = (each) => `${each.megabytes.toFixed(1)} MB, ${each.nodes} nodes, ${each.listeners} listeners`;
  console.log(`memory of a running swarm's page over ${soakMinutes} min, ${samples.length} samples: ${text(first)} at first; ${text(last)} at last; at most ${Math.max(...samples.map((each) => each.megabytes)).toFixed(1)} MB`);
  console.log(`  ${slopeOf(settled).toFixed(2)} MB an hour ${full ? `since the charts were full (${chartsFullMin} min)` : `in the second half; charts fill for ${chartsFullMin} min, so take ${2 * chartsFullMin} or more to see it flat`}`);
}

async function many(watched, hive) {
  const { page } = watched;
  const template = { bees: [{ id: 'a', role: 'echo', work: { in: { in: 'q1' } } }] };
  for (let number = 1; number < 200; number += 1) await hive.ask('POST', '/swarms', { id: `swarm-${String(number).padStart(3, '0')}`, template });
  for (let thousand = 0; thousand < 10; thousand += 1) {
    await hive.ask('POST', '/tasks/bulk', { tasks: Array.from({ length: 1000 }, (_, index) => ({ title: `Task ${thousand * 1000 + index}`, tags: ['many'] })) });
  }
  await until(async () => (await hive.ask('GET', '/swarms?limit=500')).items.filter((swarm) => swarm.phase === 'Ready').length >= 199, '200 swarms', 300_000);
  await page.goto(`${hive.url}/swarms`);
  await page.waitForSelector('.swarm-row .name-link');
  await scrolling(page, '200 swarms that report', '.swarm-scroll');
  await page.goto(`${hive.url}/tasks`);
  await page.waitForSelector('.task-card');
  await scrolling(page, 'a board of 10,000 tasks', '.column:nth-child(2) .cards-of');
  // To the end of what the server gives, page by page, as somebody does who scrolls on and on.
  const column = page.locator('.column:nth-child(2) .cards-of');
  for (let round = 0; round < 20; round += 1) {
    await column.evaluate((element) => { element.scrollTop = element.scrollHeight; });
    await page.waitForTimeout(150);
  }
  await scrolling(page, 'the same column, two thousand cards loaded', '.column:nth-child(2) .cards-of');
  await accessible(watched, 'a board of ten thousand tasks');
}

const hive = await new Hive().start();
const browser = await openBrowser();
try {
  await hive.ask('POST', '/swarms?wait=20s', { id: 'busy', scenario: 'buffer-guard', sut: 'local', autoStart: true });
  await hive.ask('POST', '/channels/probe/messages', { content: 'first' });
  await hive.ask('POST', '/tasks', { title: 'first' });
  const watched = await watchedPage(browser);
  const { page, context } = watched;
  await page.goto(hive.link);
  await page.getByRole('link', { name: 'busy' }).waitFor();
  const state = await context.storageState();
  if (parts.includes('first')) await firstView(browser, hive, state);
  if (parts.includes('pixel')) await eventToPixel(page, hive);
  if (parts.includes('soak')) await soak(context, page, hive);
  if (parts.includes('many')) await many(watched, hive);
} finally {
  await browser.close();
  await hive.stop();
}
