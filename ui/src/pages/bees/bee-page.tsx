import { useQuery } from '@tanstack/react-query';
import { Link, Redirect } from 'wouter';
import { call, ProblemError } from '../../api/client';
import { colony, useFresh, type Bee, type WorkloadBee } from '../../api/colony';
import { ago, count, dateTime } from '../../format';
import { Bones, Empty, ErrorNote, Note, useNow, useTitle } from '../../parts/basics';
import { Messages } from '../channels/messages';
import { Tags } from '../tasks/parts';
import { BeeTasks, PauseButton, Presence } from './bees-page';

function May(props: { messages: NonNullable<Bee['messages']> }) {
  const { messages } = props;
  return (
    <>
      <dl className="facts">
        <div><dt>Now</dt><dd className="num"><b>{count(messages.leftNow)}</b> of {count(messages.perMinute)} a minute</dd></div>
        <div><dt>Today</dt><dd className="num"><b>{count(messages.leftToday)}</b> of {count(messages.perDay)}</dd></div>
      </dl>
      {messages.silentUntil !== undefined && <Note kind="warn"><strong>It spoke too often</strong> and may say nothing until {dateTime(messages.silentUntil)}.</Note>}
    </>
  );
}

export default function BeePage(props: { id: string }) {
  const { id } = props;
  useTitle(id);
  const now = useNow();
  useFresh(['bee.#', 'task.#', 'message.#'], colony.bees, 600);
  const found = useQuery({
    queryKey: [...colony.bees, id],
    queryFn: async () => (await call('get', '/api/v1/bees/{bee}', { path: { bee: id } })) as Bee | WorkloadBee,
  });
  if (found.isPending) return <div className="page"><Bones rows={8} /></div>;
  if (found.data === undefined) {
    const gone = found.error instanceof ProblemError && found.error.status === 404;
    return (
      <div className="page">
        {gone ? (
          <Empty title={`There is no bee ${id}`} action={<Link className="button" href="/bees">See all bees</Link>}>It has not done anything here yet, or the address is not right.</Empty>
        ) : (
          <ErrorNote error={found.error} retry={() => void found.refetch()} />
        )}
      </div>
    );
  }
  const bee = found.data;
  // One of a swarm: what there is to see of it is there.
  if (bee.kind === 'workload') return <Redirect to={`/swarms/${bee.swarm}/bees`} replace />;
  return (
    <div className="page">
      <div className="page-head">
        <div className="titles">
          <Link href="/bees" className="crumb">Bees /</Link>
          <div className="title-row"><h1>{bee.id}</h1><Presence bee={bee} /></div>
          <p className="num">seen {ago(bee.lastSeen, now)}{bee.lastAct !== undefined && bee.lastAct !== '' && <> · last did {bee.lastAct}</>}</p>
        </div>
        <PauseButton bee={bee} />
      </div>
      {bee.alarm !== 'none' && (
        <Note kind={bee.alarm === 'silent' ? 'bad' : 'warn'}>
          <strong>Not heard of since {dateTime(bee.lastSeen)}.</strong> Look whether it still runs. What it holds returns by itself when its lease ends.
        </Note>
      )}
      <div className="task-grid">
        <div className="stack">
          <section className="panel" aria-label="What it does now">
            <header><h2>What it does now</h2></header>
            <div className="body stack tight">
              <BeeTasks bee={bee} />
              {bee.note !== undefined && bee.note !== '' && <p className="last-words">“{bee.note}”</p>}
            </div>
          </section>
          <section className="panel" aria-label="Its channel">
            <header><h2>Its channel</h2></header>
            <Messages channel={`bee:${bee.id}`} say={`Say something to ${bee.id}`} empty="Nothing was said to it yet." />
          </section>
        </div>
        <div className="stack">
          <section className="panel" aria-label="About it">
            <header><h2>About it</h2></header>
            <div className="body">
              <dl className="facts">
                <div><dt>Status</dt><dd>{bee.status === undefined || bee.status === '' ? '–' : bee.status}</dd></div>
                <div><dt>Skills</dt><dd>{(bee.skills ?? []).length === 0 ? '–' : <Tags words={bee.skills} />}</dd></div>
                <div><dt>First seen</dt><dd>{dateTime(bee.firstSeen)}</dd></div>
                <div><dt>Last seen</dt><dd>{dateTime(bee.lastSeen)}</dd></div>
              </dl>
            </div>
          </section>
          {bee.messages !== undefined && (
            <section className="panel" aria-label="What it may still say">
              <header><h2>What it may still say</h2></header>
              <div className="body stack"><May messages={bee.messages} /></div>
            </section>
          )}
        </div>
      </div>
    </div>
  );
}
