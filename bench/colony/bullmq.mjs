import { Queue, Worker } from 'bullmq';

export async function open(host, port) {
  const connection = { host, port: Number(port) };
  const queue = new Queue('bench', { connection, defaultJobOptions: { removeOnComplete: true } });
  await queue.waitUntilReady();
  // A worker that stays until `total` jobs were done.
  const until = (total, concurrency, seen) =>
    new Promise((resolve) => {
      let done = 0;
      const worker = new Worker('bench', async () => seen?.(), { connection, concurrency });
      worker.on('completed', async () => {
        if (++done < total) return;
        await worker.close();
        resolve();
      });
    });
  return {
    async make(mode, callers, total) {
      if (mode === 'batched') {
        for (let i = 0; i < total; i += 1000) {
          await queue.addBulk(Array.from({ length: Math.min(1000, total - i) }, () => ({ name: 'job', data: {} })));
        }
        return;
      }
      let left = total;
      await Promise.all(Array.from({ length: callers }, async () => {
        while (left-- > 0) await queue.add('job', {});
      }));
    },
    work: (mode, callers, total) => until(total, callers),
    async push(times) {
      const found = [];
      let heard;
      const over = until(times, 1, () => heard());
      await new Promise((resolve) => setTimeout(resolve, 200));
      for (let i = 0; i < times; ++i) {
        const arrived = new Promise((resolve) => (heard = resolve));
        const begun = performance.now();
        queue.add('job', {});
        await arrived;
        found.push(performance.now() - begun);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await over;
      return found;
    },
    close: () => queue.close(),
  };
}
