import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { call, fieldProblem, ProblemError } from '../../api/client';
import { beeAddress, colony, getTask, moveTask, taskAddress, useFresh, useLiveSoon, useMachine, type Move, type Task } from '../../api/colony';
import { costs, type Usage } from '../../api/costs';
import { auditPage, useMay, useMe } from '../../api/queries';
import { ago, dateTime, span } from '../../format';
import { Badge } from '../../parts/badges';
import { Bones, Dialog, Empty, ErrorNote, Field, Note, useNow, useTitle } from '../../parts/basics';
import { tell, tellFailed } from '../../parts/toasts';
import { Messages } from '../channels/messages';
import { moneyText, short, tokensOf } from '../costs/sums';
import { movedNames, moveNames, movesOf } from './moves';
import { Holder, Percent, PriorityBadge, StateBadge, Tags } from './parts';
import './tasks.css';

const explained: Partial<Record<Move, string>> = {
  cancel: 'It will not be done. Whoever holds it loses it. It can be driven again later.',
  release: 'It goes back to the ready ones; this costs no attempt.',
  unblock: 'It can go on: it is ready to be taken again.',
  redrive: 'Once more, with all its attempts.',
  reopen: 'It was not done after all: it is ready to be taken again.',
  block: 'It cannot go on until somebody does something. Say what.',
  fail: 'This attempt did not work. It is tried again later, as long as it has attempts left.',
};

function MoveDialog(props: { task: Task; move: Move; onClose: () => void; onMoved: (task: Task) => void }) {
  const { task, move } = props;
  const [note, setNote] = useState('');
  const [percent, setPercent] = useState(String(task.percent ?? 0));
  const act = useMutation({
    mutationFn: () => {
      const words = note.trim();
      if (move === 'fail') return moveTask(task.id, move, { error: words });
      return moveTask(task.id, move, { ...(words === '' ? {} : { note: words }), ...(move === 'progress' ? { percent: Number(percent) } : {}) });
    },
    onSuccess: (after) => {
      tell('good', `${task.ref} is ${movedNames[move]}`);
      props.onMoved(after);
    },
  });
  return (
    <Dialog
      title={`${moveNames[move]}: ${task.ref}`}
      onClose={props.onClose}
      foot={
        <>
          <button type="button" className="button" onClick={props.onClose}>Not now</button>
          <button type="submit" form="move-task" className={move === 'cancel' || move === 'fail' ? 'button danger' : 'button primary'} disabled={act.isPending || (move === 'fail' && note.trim() === '')}>
            {act.isPending && <span className="spin" />} {moveNames[move]}
          </button>
        </>
      }
    >
      <form id="move-task" className="stack" onSubmit={(event) => { event.preventDefault(); act.mutate(); }}>
        {explained[move] !== undefined && <p className="small muted">{explained[move]}</p>}
        {move === 'progress' && (
          <Field label="Percent" wrong={fieldProblem(act.error, '/percent')}>
            {(parts) => <input {...parts} className="input" type="number" min={0} max={100} value={percent} onChange={(event) => setPercent(event.target.value)} />}
          </Field>
        )}
        <Field label={move === 'fail' ? 'What went wrong' : 'Note'} hint="Also said in the channel of the task">
          {(parts) => <input {...parts} className="input" value={note} onChange={(event) => setNote(event.target.value)} />}
        </Field>
        {act.isError && <ErrorNote error={act.error} />}
      </form>
    </Dialog>
  );
}

function Buttons(props: { task: Task; onMoved: (task: Task) => void }) {
  const { task } = props;
  const machine = useMachine();
  const me = useMe().data;
  const may = useMay('tasks', 'write');
  const [asking, setAsking] = useState<Move>();
  const claim = useMutation({
    mutationFn: () => moveTask(task.id, 'claim'),
    onSuccess: (after) => {
      tell('good', `${task.ref} is yours`);
      props.onMoved(after);
    },
    onError: (error) => tellFailed(`${task.ref} stays as it is`, error),
  });
  if (!may || me === null || me === undefined) return null;
  const moves = movesOf(machine.data, task, me);
  return (
    <div className="row">
      {moves.map((move, index) => (
        <button key={move} type="button" disabled={claim.isPending}
          className={move === 'cancel' || move === 'fail' ? 'button danger' : index === 0 && move !== 'release' ? 'button primary' : 'button'}
          onClick={() => (move === 'claim' ? claim.mutate() : setAsking(move))}>
          {moveNames[move]}{move === 'claim' ? '' : '…'}
        </button>
      ))}
      {asking !== undefined && (
        <MoveDialog task={task} move={asking} onClose={() => setAsking(undefined)}
          onMoved={(after) => {
            setAsking(undefined);
            props.onMoved(after);
          }} />
      )}
    </div>
  );
}

function Dependencies(props: { task: Task }) {
  const ids = props.task.dependsOn ?? [];
  const found = useQueries({ queries: ids.map((id) => ({ queryKey: colony.task(id), queryFn: () => getTask(id) })) });
  if (ids.length === 0) return null;
  return (
    <section className="panel" aria-label="Depends on">
      <header><h2>Depends on</h2><span className="muted small num">{(props.task.waitingFor ?? []).length === 0 ? 'all completed' : `waits for ${(props.task.waitingFor ?? []).length}`}</span></header>
      <div className="body">
        <ul className="links">
          {ids.map((id, index) => {
            const other = found[index]?.data;
            return (
              <li key={id}>
                <Link href={taskAddress(other?.ref ?? id)} className="name-link"><span className="mono muted">{other?.ref ?? id}</span> {other?.title}</Link>
                {other !== undefined && <StateBadge state={other.state} />}
              </li>
            );
          })}
        </ul>
      </div>
    </section>
  );
}

function Attempts(props: { task: Task; now: number }) {
  const history = [...(props.task.history ?? [])].reverse();
  return (
    <section className="panel" aria-label="Attempts">
      <header><h2>Attempts</h2><span className="muted small num">{props.task.attempts} of {props.task.retry.attempts ?? '–'}</span></header>
      <div className="body">
        {history.length === 0 && <p className="small muted">Nobody has taken it yet.</p>}
        <ol className="attempts">
          {history.map((each) => (
            <li key={each.token}>
              <Link href={beeAddress(each.bee)} className="name-link">{each.bee}</Link>
              <span className="muted num" title={dateTime(each.began)}>
                {ago(each.began, props.now)}, {each.ended === undefined ? 'still at it' : `for ${span(Date.parse(each.ended) - Date.parse(each.began))}`}
              </span>
              <span className="grow" />
              {each.end !== undefined && <Badge plain tone={each.end === 'completed' ? 'good' : ['failed', 'lapsed', 'dead'].includes(each.end) ? 'bad' : ''} text={each.end} />}
              {each.error !== undefined && each.error !== '' && <span className="why">{each.error}</span>}
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}

// What was recorded for this task, added up.
function Cost(props: { task: Task }) {
  const may = useMay('costs', 'read');
  const found = useQuery({
    queryKey: [...costs.all, 'task', props.task.id],
    enabled: may,
    queryFn: async () => ((await call('get', '/api/v1/costs', { query: { task: props.task.id, limit: 1000 } })) as { items: Usage[] }).items,
  });
  useFresh(['cost.#'], [...costs.all, 'task'], 1000);
  if (!may) return null;
  const items = found.data ?? [];
  const sum = (of: (usage: Usage) => number) => items.reduce((all, usage) => all + of(usage), 0);
  return (
    <section className="panel" aria-label="Cost">
      <header><h2>Cost</h2><Link className="button small quiet" href="/costs">All costs</Link></header>
      <div className="body">
        {found.isError && <ErrorNote error={found.error} />}
        {found.isSuccess && items.length === 0 && <p className="small muted">Nobody has recorded what it cost.</p>}
        {items.length > 0 && (
          <dl className="facts">
            <div><dt>Money</dt><dd className="num"><b>{moneyText(items)}</b></dd></div>
            <div><dt>Tokens</dt><dd className="num">{short(sum(tokensOf))}</dd></div>
            <div><dt>Records</dt><dd className="num">{items.length === 1000 ? 'the newest 1,000' : items.length}</dd></div>
          </dl>
        )}
      </div>
    </section>
  );
}

function Record(props: { task: Task }) {
  const may = useMay('audit', 'read');
  const entries = useQuery({
    queryKey: [...colony.task(props.task.id), 'audit', props.task.revision],
    enabled: may,
    placeholderData: (before) => before,
    queryFn: () => auditPage({ actor: '', action: '', entityType: 'task', entityId: props.task.id }, undefined),
  });
  if (!may) return null;
  return (
    <section className="panel" aria-label="Audit entries">
      <header><h2>In the audit log</h2><Link className="button small quiet" href="/audit">The whole log</Link></header>
      {entries.isPending && <Bones rows={3} />}
      {entries.isError && <div className="body"><ErrorNote error={entries.error} /></div>}
      {entries.isSuccess && (
        <div className="table-scroll" tabIndex={0} role="group" aria-label="Audit entries, scrolls sideways">
          <table className="table">
            <thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th><th scope="col" className="right">No.</th></tr></thead>
            <tbody>
              {entries.data.items.map((entry) => (
                <tr key={entry.sequence}>
                  <td className="fit">{dateTime(entry.time)}</td><td>{entry.actor}</td><td><Badge plain tone="" text={entry.action} /></td><td className="right fit">{entry.sequence}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

export default function TaskPage(props: { id: string }) {
  const { id } = props;
  const client = useQueryClient();
  const now = useNow();
  const found = useQuery({ queryKey: colony.task(id), queryFn: () => getTask(id) });
  const task = found.data;
  useTitle(task === undefined ? id : `${task.ref} ${task.title}`);
  const near = new Set([task?.id, ...(task?.dependsOn ?? [])]);
  useLiveSoon(['task.#'], (data) => (data as { task_id: string }).task_id, (heard) => {
    if (!heard.some((each) => near.has(each))) return;
    void client.invalidateQueries({ queryKey: colony.task(id), exact: true });
    for (const each of task?.dependsOn ?? []) if (heard.includes(each)) void client.invalidateQueries({ queryKey: colony.task(each) });
  });
  if (found.isPending) return <div className="page"><Bones rows={10} /></div>;
  if (task === undefined) {
    const gone = found.error instanceof ProblemError && found.error.status === 404;
    return (
      <div className="page">
        {gone ? (
          <Empty title={`There is no task ${id}`} action={<Link className="button" href="/tasks">See all tasks</Link>}>The address is not right, or it is of another hive.</Empty>
        ) : (
          <ErrorNote error={found.error} retry={() => void found.refetch()} />
        )}
      </div>
    );
  }
  const has = (text: string | undefined): text is string => text !== undefined && text !== '';
  return (
    <div className="page">
      <div className="page-head">
        <div className="titles">
          <Link href="/tasks" className="crumb">Tasks / {task.ref}</Link>
          <div className="title-row"><h1>{task.title}</h1><StateBadge state={task.state} /></div>
          <p className="num">made {ago(task.createdAt, now)} by {task.createdBy}{task.lease !== undefined && <> · held by {task.lease.holder}, lease ends in {span(Date.parse(task.lease.ends) - now)}</>}</p>
        </div>
        <Buttons task={task} onMoved={(after) => client.setQueryData(colony.task(id), after)} />
      </div>
      {has(task.error) && task.state !== 'completed' && <Note kind="bad"><strong>The last attempt failed:</strong> {task.error}</Note>}
      <div className="task-grid">
        <div className="stack">
          <section className="panel" aria-label="What is to be done">
            <header><h2>What is to be done</h2></header>
            <div className="body stack">
              {has(task.description) ? <p className="prose">{task.description}</p> : <p className="small muted">Nothing is written beside the title.</p>}
              {task.percent !== undefined && <Percent task={task} />}
              {has(task.note) && <p className="last-words">“{task.note}”</p>}
              {task.result !== undefined && <div><h3>Result</h3><pre className="json" tabIndex={0}>{JSON.stringify(task.result, null, 2)}</pre></div>}
            </div>
          </section>
          <section className="panel" aria-label="Messages">
            <header><h2>Messages</h2></header>
            <Messages channel={`task:${task.ref}`} say="Comment on this task" empty="Nobody has said anything about it. Progress and notes appear here by themselves." />
          </section>
        </div>
        <div className="stack">
          <section className="panel" aria-label="About it">
            <header><h2>About it</h2></header>
            <div className="body">
              <dl className="facts">
                <div><dt>Priority</dt><dd><PriorityBadge priority={task.priority} /></dd></div>
                {task.lease !== undefined && <div><dt>Held by</dt><dd><Link href={beeAddress(task.lease.holder)}><Holder id={task.lease.holder} /></Link></dd></div>}
                {has(task.assignedTo) && <div><dt>For</dt><dd>{task.assignedTo}</dd></div>}
                {(task.tags ?? []).length > 0 && <div><dt>Tags</dt><dd><Tags words={task.tags} /></dd></div>}
                {(task.skills ?? []).length > 0 && <div><dt>Skills</dt><dd><Tags words={task.skills} /></dd></div>}
                {has(task.notBefore) && <div><dt>Not before</dt><dd>{dateTime(task.notBefore)}</dd></div>}
                {has(task.repeat) && <div><dt>Repeats</dt><dd className="mono">{task.repeat}</dd></div>}
                {has(task.uniqueKey) && <div><dt>Unique key</dt><dd className="mono">{task.uniqueKey}</dd></div>}
                <div><dt>Made</dt><dd>{dateTime(task.createdAt)}</dd></div>
                <div><dt>Changed</dt><dd>{dateTime(task.changedAt)}</dd></div>
                {task.completedAt !== undefined && <div><dt>Ended</dt><dd>{dateTime(task.completedAt)}</dd></div>}
                {(task.attachments ?? []).map((file) => <div key={file.uri}><dt>{file.name}</dt><dd className="mono">{file.uri}</dd></div>)}
              </dl>
            </div>
          </section>
          <Dependencies task={task} />
          <Attempts task={task} now={now} />
          <Cost task={task} />
        </div>
      </div>
      <Record task={task} />
    </div>
  );
}
