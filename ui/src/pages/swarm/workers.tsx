import { useState } from 'react';
import type { Swarm, Worker } from '../../api/model';
import { useMay } from '../../api/queries';
import { ago, count, rate } from '../../format';
import { Empty, useNow } from '../../parts/basics';
import { Badge, HealthBadge } from '../../parts/badges';
import { ChangeConfig } from './change-config';
import type { SeenStatus } from './live-swarm';

function Io(props: { status: SeenStatus | undefined }) {
  const work = props.status?.ioState?.work;
  if (work === undefined) return <span className="muted">–</span>;
  const word = (name: string, state: string | undefined) =>
    state === undefined ? null : <Badge key={name} plain tone={state === 'ok' ? '' : 'warn'} text={`${name} ${state}`} />;
  return <span className="row">{word('in', work.input)}{word('out', work.output)}</span>;
}

// A bee that was silent before this page was opened is known by its controller only.
export function lastSeen(worker: Worker, status: { at: string } | undefined): string | undefined {
  const times = [worker.lastSeen, status?.at].filter((time) => time !== undefined);
  return times.sort((a, b) => Date.parse(a) - Date.parse(b)).pop();
}

export function Workers(props: { swarm: Swarm; statuses: Map<string, SeenStatus> }) {
  const { swarm, statuses } = props;
  const now = useNow();
  const may = useMay('swarms', 'write');
  const [changing, setChanging] = useState<Worker>();
  const [shown, setShown] = useState<string>();
  const workers = swarm.aggregate.workers ?? [];
  if (workers.length === 0) {
    return <section className="panel"><Empty title="No bee has reported yet">They appear with the first status of the controller.</Empty></section>;
  }
  const changingConfig = changing === undefined ? undefined : statuses.get(changing.instance)?.config;
  return (
    <section className="panel" aria-label="Bees">
      <div className="table-scroll" tabIndex={0} role="group" aria-label="Bees, scrolls sideways">
        <table className="table stacks">
          <thead>
            <tr>
              <th scope="col">Bee</th><th scope="col">Health</th><th scope="col" className="right">Rate</th>
              <th scope="col" className="right">Handled</th><th scope="col" className="right">Failed</th><th scope="col">Input, output</th>
              <th scope="col" className="right">Restarts</th><th scope="col" className="right">Last seen</th><th scope="col"><span className="hidden-text">Settings</span></th>
            </tr>
          </thead>
          <tbody>
            {workers.map((worker) => {
              const status = statuses.get(worker.instance);
              const { trouble } = worker;
              return [
                <tr key={worker.instance}>
                  <td className="lead"><b className="whole">{worker.instance}</b><div className="small muted">{worker.role}</div>{trouble !== undefined && <div className="small">{trouble}</div>}</td>
                  <td><span className="row"><HealthBadge health={worker.health} />{worker.enabled !== true && <Badge plain tone="" text="paused" />}</span></td>
                  <td className="right" data-label="rate">{rate(worker.tps)}</td>
                  <td className="right" data-label="handled">{count(status?.context?.work?.processed)}</td>
                  <td className="right" data-label="failed">{count(status?.context?.work?.failed)}</td>
                  <td><Io status={status} /></td>
                  <td className="right" data-label="restarts">{count(worker.restarts)}</td>
                  <td className="right fit" data-label="seen">{ago(lastSeen(worker, status), now)}</td>
                  <td className="fit">
                    <span className="row end">
                      <button type="button" className="button small quiet" aria-expanded={shown === worker.instance}
                        onClick={() => setShown(shown === worker.instance ? undefined : worker.instance)}>
                        Details<span className="hidden-text"> of {worker.instance}</span>
                      </button>
                      {may && swarm.allowed.includes('config') && (
                        <button type="button" className="button small" disabled={status?.config === undefined} onClick={() => setChanging(worker)}>
                          Change…<span className="hidden-text"> settings of {worker.instance}</span>
                        </button>
                      )}
                    </span>
                  </td>
                </tr>,
                shown === worker.instance && (
                  <tr key={`${worker.instance}-more`}>
                    <td colSpan={9}>
                      <div className="grid-2">
                        <div><h3>Settings</h3><pre className="small">{status?.config === undefined ? 'Not reported yet.' : JSON.stringify(status.config, null, 2)}</pre></div>
                        <div><h3>What it says of its work</h3><pre className="small">{status?.context?.work === undefined ? 'Not reported yet.' : JSON.stringify(status.context.work, null, 2)}</pre></div>
                      </div>
                    </td>
                  </tr>
                ),
              ];
            })}
          </tbody>
        </table>
      </div>
      {changing !== undefined && changingConfig !== undefined && (
        <ChangeConfig swarm={swarm} worker={changing} config={changingConfig} onClose={() => setChanging(undefined)} />
      )}
    </section>
  );
}
