import PgBoss from 'pg-boss';

export async function open(connectionString) {
  const boss = new PgBoss({ connectionString, max: 50 });
  boss.on('error', (error) => { throw error; });
  await boss.start();
  await boss.createQueue('job');
  const batch = 100;
  return {
    async make(mode, callers, total) {
      if (mode === 'batched') {
        for (let i = 0; i < total; i += 1000) {
          await boss.insert(Array.from({ length: Math.min(1000, total - i) }, () => ({ name: 'job', data: {} })));
        }
        return;
      }
      let left = total;
      await Promise.all(Array.from({ length: callers }, async () => {
        while (left-- > 0) await boss.send('job', {});
      }));
    },
    // As its own workers do, without their pause of half a second and more between two looks.
    async work(mode, callers, total) {
      let done = 0;
      const batchSize = mode === 'batched' ? batch : 1;
      await Promise.all(Array.from({ length: mode === 'batched' ? 4 : callers }, async () => {
        while (done < total) {
          const jobs = await boss.fetch('job', { batchSize });
          if (jobs.length === 0) { await new Promise((resolve) => setTimeout(resolve, 5)); continue; }
          await boss.complete('job', jobs.map((job) => job.id));
          done += jobs.length;
        }
      }));
    },
    // It looks for work every half second at best: that is its latency.
    async push(times) {
      const found = [];
      let heard;
      await boss.work('job', { pollingIntervalSeconds: 0.5 }, async () => heard());
      for (let i = 0; i < Math.min(times, 20); ++i) {
        const arrived = new Promise((resolve) => (heard = resolve));
        const begun = performance.now();
        boss.send('job', {});
        await arrived;
        found.push(performance.now() - begun);
      }
      return found;
    },
    close: () => boss.stop({ graceful: false }),
  };
}
