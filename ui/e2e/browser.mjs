// A browser that remembers everything it should not have said.
import { chromium } from 'playwright-core';

export async function openBrowser() {
  return chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

// A page whose console errors, exceptions and violations of the policy are collected in `faults`.
export async function watchedPage(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(15_000);
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
