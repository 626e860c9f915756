// A browser that opens a report from disk, without a network: prints what is on the page, a line
// each. node browser_report.cjs <file> <chromium>
const { chromium } = require('playwright-core');

(async () => {
  const [file, executablePath] = process.argv.slice(2);
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  try {
    const context = await browser.newContext({ offline: true });
    const page = await context.newPage();
    page.on('console', (message) => console.log(`console: ${message.text()}`));
    page.on('pageerror', (error) => console.log(`error: ${error.message}`));
    page.on('request', (request) => {
      if (request.url() !== `file://${file}`) console.log(`asked for ${request.url()}`);
    });
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.goto(`file://${file}`);
    console.log(await page.title());
    console.log(await page.textContent('.badge'));
    const drawn = await page.$$eval('svg', (all) => all.filter((svg) => {
      const box = svg.getBoundingClientRect();
      return box.width > 200 && box.height > 60 && svg.querySelector('path, rect.bar');
    }).length);
    console.log(`charts ${drawn}`);
    const chart = await (await page.$('svg[data-t]')).boundingBox();
    await page.mouse.move(chart.x + chart.width / 2, chart.y + chart.height / 2);
    console.log(`tip ${(await page.textContent('.tip')).includes('planned')}`);
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      console.log(`${width} fits ${wide <= width}`);
    }
    if (process.env.SHOTS) await page.screenshot({ path: `${process.env.SHOTS}/report.png`, fullPage: true });
  } finally {
    await browser.close();
  }
})().catch((error) => {
  console.log(`failed: ${error.message}`);
  process.exit(1);
});
