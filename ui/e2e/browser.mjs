// A browser that remembers everything it should not have said.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { chromium } from 'playwright-core';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

// A machine that has other things to do is ten times slower.
const waitMs = 60_000;

export async function openBrowser() {
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

// A page whose console errors, exceptions and violations of the policy are collected in `faults`.
export async function watchedPage(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(waitMs);
  const faults = [];
  const expected = [];
  page.on('console', (message) => {
    if (message.type() !== 'error' && !/content security policy/i.test(message.text())) return;
    const text = `${message.text()} ${message.location().url}`;
    if (!expected.some((pattern) => pattern.test(text))) faults.push(text);
  });
  page.on('pageerror', (error) => faults.push(`exception: ${error.message}`));
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', (event) => {
      console.error(`content security policy: ${event.violatedDirective} ${event.blockedURI} ${event.sourceFile}`);
    });
  });
  // Who is not signed in is told so by a 401, which every browser writes down.
  expected.push(/status of 401 .*\/api\/v1\/me$/);
  return { page, context, faults, expected };
}

export function clean(watched) {
  assert.deepEqual(watched.faults.splice(0), [], 'the browser complained');
}

// Serious findings of axe fail; it runs in the page's own world, past its policy.
export async function accessible(watched, where) {
  await watched.page.evaluate(axeSource);
  // Colours are judged when they have arrived, not halfway from one theme to the other.
  await watched.page.evaluate(async () => {
    for (let frame = 0; frame < 2; frame += 1) await new Promise((next) => requestAnimationFrame(next));
    const passing = document.getAnimations().filter((each) => each instanceof CSSTransition);
    await Promise.allSettled(passing.map((each) => each.finished));
  });
  const found = await watched.page.evaluate(async () => {
    const result = await globalThis.axe.run(document, { resultTypes: ['violations'] });
    return result.violations
      .filter((each) => each.impact === 'serious' || each.impact === 'critical')
      .map((each) => `${each.id}: ${each.nodes.map((node) => `${node.target.join(' ')} ${node.any[0]?.message ?? ''}`).slice(0, 4).join(' | ')}`);
  });
  assert.deepEqual(found, [], `accessibility of ${where}`);
}

// The page fits a phone: nothing makes it scroll sideways.
export async function fitsPhone(watched, where) {
  assert.equal(await watched.page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false, `${where} scrolls sideways on a phone`);
}

// Until it holds, with a deadline; for what no element of the page tells.
export async function until(holds, what, withinMs = waitMs) {
  for (const end = Date.now() + withinMs; !(await holds()); ) {
    if (Date.now() > end) throw new Error(`not within ${withinMs} ms: ${what}`);
    await new Promise((next) => setTimeout(next, 100));
  }
}
