// A browser that signs in with a link and listens: prints what the page says, line by line.
// node browser_events.cjs <login link> <chromium>
const { chromium } = require('playwright-core');

(async () => {
  const [link, executablePath] = process.argv.slice(2);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') console.log(`console: ${message.text()}`);
    });
    await page.goto(link);
    await page.waitForFunction(() => document.getElementById('live').textContent.startsWith('Live'));
    console.log(await page.textContent('#who'));
    console.log('listening');
    await page.waitForFunction(() => document.getElementById('live').textContent.includes('key.created'));
    console.log(await page.textContent('#live'));
    if (process.env.SHOTS) {
      await page.setViewportSize({ width: 390, height: 700 });
      await page.screenshot({ path: `${process.env.SHOTS}/front-phone.png` });
      await page.emulateMedia({ colorScheme: 'dark' });
      await page.goto(new URL('/device?code=BCDF-GHJK', link).href);
      await page.setViewportSize({ width: 1200, height: 700 });
      await page.screenshot({ path: `${process.env.SHOTS}/device-dark.png` });
    }
  } finally {
    await browser.close();
  }
})().catch((error) => {
  console.log(`failed: ${error.message}`);
  process.exit(1);
});
