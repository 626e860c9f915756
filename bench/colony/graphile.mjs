import { Logger, makeWorkerUtils, run } from 'graphile-worker';

const addMany = `select count(*) from graphile_worker.add_jobs(array(
  select row('job', '{}', null, null, null, null, null, null)::graphile_worker.job_spec
  from generate_series(1, $1::int)))`;
const logger = new Logger(() => () => {});

export async function open(connectionString) {
  const utils = await makeWorkerUtils({ connectionString, logger, maxPoolSize: 50 });
  await utils.migrate();
  const until = (total, concurrency, seen) =>
    new Promise((resolve, reject) => {
      let done = 0;
      let runner;
      run({
        connectionString, logger, concurrency, maxPoolSize: concurrency + 5, noHandleSignals: true, pollInterval: 1000,
        taskList: { job: async () => seen?.() },
      }).then((started) => {
        runner = started;
        runner.events.on('job:complete', () => {
          if (++done === total) runner.stop().then(resolve, reject);
        });
      }, reject);
    });
  return {
    async make(mode, callers, total) {
      if (mode === 'batched') {
        for (let i = 0; i < total; i += 1000) {
          await utils.withPgClient((client) => client.query(addMany, [Math.min(1000, total - i)]));
        }
        return;
      }
      let left = total;
      await Promise.all(Array.from({ length: callers }, async () => {
        while (left-- > 0) await utils.addJob('job', {});
      }));
    },
    work: (mode, callers, total) => until(total, callers),
    async push(times) {
      const found = [];
      let heard;
      const over = until(times, 1, () => heard());
      await new Promise((resolve) => setTimeout(resolve, 500));
      for (let i = 0; i < times; ++i) {
        const arrived = new Promise((resolve) => (heard = resolve));
        const begun = performance.now();
        utils.addJob('job', {});
        await arrived;
        found.push(performance.now() - begun);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      await over;
      return found;
    },
    close: () => utils.release(),
  };
}
