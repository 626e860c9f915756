import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { call } from '../../api/client';
import { beeAddress, colony, taskAddress, useBees, useFresh, useWorkloadBees, type Bee } from '../../api/colony';
import { useMay, useMe } from '../../api/queries';
import { ago, rate } from '../../format';
import { Badge } from '../../parts/badges';
import { Bones, Empty, ErrorNote, useNow, useTitle } from '../../parts/basics';
import { PauseIcon, PlayIcon } from '../../parts/icons';
import { tell } from '../../parts/toasts';
import { Percent, Tags } from '../tasks/parts';
import '../tasks/tasks.css';
import './bees.css';

const tones = { there: 'info', working: 'good', away: '', quiet: 'warn', silent: 'bad' } as const;
const words = { there: 'There', working: 'Working', away: 'Away', quiet: 'Quiet', silent: 'Silent' };

export function Presence(props: { bee: Bee }) {
  return (
    <>
      <Badge tone={tones[props.bee.presence]} text={words[props.bee.presence]} />
      {props.bee.paused === true && <Badge plain tone="honey" text="Paused" />}
    </>
  );
}

// Those that need a look first, then those that work.
const order: Bee['presence'][] = ['silent', 'quiet', 'working', 'there', 'away'];
export function sorted(bees: Bee[]): Bee[] {
  return [...bees].sort((a, b) => order.indexOf(a.presence) - order.indexOf(b.presence) || a.id.localeCompare(b.id));
}

export function PauseButton(props: { bee: Bee }) {
  const { bee } = props;
  const client = useQueryClient();
  const may = useMay('bees', 'write');
  const role = useMe().data?.role;
  const act = useMutation({
    mutationFn: (pause: boolean) => call('post', pause ? '/api/v1/bees/{bee}/pause' : '/api/v1/bees/{bee}/resume', { path: { bee: bee.id } }),
    onSuccess: (_, pause) => {
      tell('good', pause ? `${bee.id} gets no new task` : `${bee.id} may take tasks again`);
      void client.invalidateQueries({ queryKey: colony.bees });
    },
    onError: (error) => tell('bad', `${bee.id} stays as it is`, error.message),
  });
  if (!may || role === 'bee') return null;
  const paused = bee.paused === true;
  return (
    <button type="button" className="button small" disabled={act.isPending} onClick={() => act.mutate(!paused)}>
      {paused ? <PlayIcon /> : <PauseIcon />} {paused ? 'Resume' : 'Pause'}<span className="hidden-text"> {bee.id}</span>
    </button>
  );
}

export function BeeTasks(props: { bee: Bee }) {
  if (props.bee.tasks.length === 0) return <span className="muted small">Holds no task</span>;
  return (
    <ul className="bee-tasks">
      {props.bee.tasks.map((task) => (
        <li key={task.id}>
          <Link href={taskAddress(task.ref)} className="name-link"><span className="mono muted">{task.ref}</span> {task.title}</Link>
          {task.state === 'blocked' && <Badge tone="warn" text="Blocked" />}
          <Percent task={task} />
        </li>
      ))}
    </ul>
  );
}

// The bees of swarms by swarm; those that do not report first.
function Workloads() {
  const bees = useWorkloadBees();
  const items = bees.data ?? [];
  if (items.length === 0) return null;
  const swarms = [...new Set(items.map((bee) => bee.swarm))].sort();
  const stale = items.filter((bee) => bee.health === 'stale').length;
  return (
    <section className="panel" aria-label="Bees of swarms">
      <header><h2>In swarms</h2><span className="small muted num">{items.length} bees{stale > 0 && `, ${stale} not heard of`}</span></header>
      <div className="table-scroll" tabIndex={0} role="group" aria-label="Bees of swarms, scrolls sideways">
        <table className="table">
          <thead><tr><th scope="col">Swarm</th><th scope="col">Bees</th></tr></thead>
          <tbody>
            {swarms.slice(0, 100).map((swarm) => (
              <tr key={swarm}>
                <td className="fit"><Link className="name-link" href={`/swarms/${swarm}/bees`}>{swarm}</Link></td>
                <td>
                  <div className="row workloads">
                    {items.filter((bee) => bee.swarm === swarm).sort((a, b) => Number(a.health === 'healthy') - Number(b.health === 'healthy')).slice(0, 24).map((bee) => (
                      <Badge key={bee.id} tone={bee.health === 'healthy' ? (bee.enabled ? 'good' : '') : bee.health === 'stale' ? 'warn' : ''} text={`${bee.role}${bee.enabled && bee.health === 'healthy' ? ` ${rate(bee.tps)}` : bee.health === 'stale' ? ' is stale' : ''}`} />
                    ))}
                  </div>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

export default function BeesPage() {
  useTitle('Bees');
  const bees = useBees();
  const now = useNow();
  const [text, setText] = useState('');
  useFresh(['bee.#', 'task.#', 'message.#'], colony.bees, 600);
  const all = bees.data ?? [];
  const shown = useMemo(() => {
    const word = text.trim().toLowerCase();
    return sorted(bees.data ?? []).filter((bee) => [bee.id, bee.presence, bee.status ?? '', ...(bee.skills ?? [])].some((each) => each.toLowerCase().includes(word)));
  }, [bees.data, text]);
  const number = (...presences: Bee['presence'][]) => all.filter((bee) => presences.includes(bee.presence)).length;
  return (
    <div className="page">
      <div className="page-head">
        <div className="titles">
          <h1>Bees</h1>
          <p>Who is here, what each does now, and who has not been heard of for too long.</p>
        </div>
      </div>
      {bees.isError && <ErrorNote error={bees.error} retry={() => void bees.refetch()} />}
      {all.length > 0 && (
        <dl className="panel figures">
          <div><dt>Bees</dt><dd>{all.length}</dd></div>
          <div><dt>Working</dt><dd>{number('working')}</dd></div>
          <div><dt>Free</dt><dd>{number('there')}</dd></div>
          <div><dt>Quiet or silent</dt><dd>{number('quiet', 'silent')}</dd></div>
        </dl>
      )}
      {bees.isPending && <section className="panel"><Bones rows={6} /></section>}
      {bees.isSuccess && all.length === 0 && (
        <section className="panel">
          <Empty title="No bee has been here">Whoever acts with a key is a bee: make one under Settings, then <code>hive bee heartbeat</code> or take a task with it.</Empty>
        </section>
      )}
      {all.length > 0 && (
        <section aria-label="All bees" className="stack">
          <div className="row">
            <h2 className="num grow whole">{shown.length === all.length ? `${all.length} in all` : `${shown.length} of ${all.length}`}</h2>
            <input className="input find-bee" type="search" aria-label="Find bees" placeholder="Find by name, skill or status" value={text} onChange={(event) => setText(event.target.value)} />
          </div>
          {shown.length === 0 && <div className="panel"><Empty title="Nothing fits">No bee fits “{text}”. Try fewer letters.</Empty></div>}
          <ul className="bee-cards">
            {shown.map((bee) => (
              <li key={bee.id} className="panel bee-card" data-alarm={bee.alarm}>
                <div className="row">
                  <span className="face" aria-hidden="true">{bee.id.charAt(0)}</span>
                  <div className="grow">
                    <Link href={beeAddress(bee.id)} className="name-link">{bee.id}</Link>
                    <div className="small muted num">seen {ago(bee.lastSeen, now)}{bee.status !== undefined && bee.status !== '' ? ` · ${bee.status}` : ''}</div>
                  </div>
                  <Presence bee={bee} />
                </div>
                <BeeTasks bee={bee} />
                {bee.note !== undefined && bee.note !== '' && <p className="last-words">“{bee.note}”</p>}
                <div className="row bee-foot"><Tags words={bee.skills} /><span className="grow" /><PauseButton bee={bee} /></div>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Workloads />
    </div>
  );
}
