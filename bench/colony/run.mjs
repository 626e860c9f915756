// One queue, measured: `node run.mjs KIND WHERE SECRET JOBS LABEL`. Every kind exports the same four functions.
const [kind, where, secret, jobs, label] = process.argv.slice(2);
const { open } = await import(`./${kind}.mjs`);
const total = Number(jobs);
const workers = 50;

// cycles(mode): jobs are made and done at the same time; over when the last one is done.
async function cycles(queue, mode) {
  const done = queue.work(mode, workers, total); // a promise
  const begun = performance.now();
  await queue.make(mode, workers, total);
  await done;
  const took = performance.now() - begun;
  await queue.rest;
  return total / (took / 1000);
}

function row(mode, rate, latencies) {
  const at = (share) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))].toFixed(2);
  const figures = latencies ? [at(0.5), at(0.99)] : ['', ''];
  console.log(
    `${label.padEnd(26)} ${mode.padEnd(8)} ${(rate ? rate.toFixed(0) : '').padStart(12)} ${figures[0].padStart(10)} ${figures[1].padStart(10)}`,
  );
}

const queue = await open(where, secret);
await cycles(queue, 'batched'); // warm
row('single', await cycles(queue, 'single'));
row('batched', await cycles(queue, 'batched'));
const latencies = (await queue.push(300)).sort((a, b) => a - b);
row('push', 0, latencies);
await queue.close();
process.exit(0);
