import { useMemo, useState } from 'react';
import { Link } from 'wouter';
import { taskAddress, useFresh } from '../../api/colony';
import { files, useRecorded, useSyncStatus, type Direction, type SyncStatus } from '../../api/files';
import { useMay } from '../../api/queries';
import { ago, count, dateTime } from '../../format';
import { Badge } from '../../parts/badges';
import { Bones, Empty, ErrorNote, Note, useNow, useTitle } from '../../parts/basics';
import { PullIcon, PushIcon } from '../../parts/icons';
import { PassDialog } from './pass-dialog';
import { pastConflicts, pastPasses, policyWords, stateOf } from './words';
import './files.css';

function Off() {
  return (
    <section className="panel">
      <Empty title="No files are kept in step here">
        Bees that know nothing but files take part through a <code>.deia</code> directory. Start <code>hive up</code> beside one,
        or the server with <code>hive serve --deia DIR</code>; in <code>hive.yaml</code> it is <code>colony.files.root</code>.
      </Empty>
    </section>
  );
}

function Root(props: { status: SyncStatus; now: number }) {
  const { status, now } = props;
  const state = stateOf(status);
  const when = (time: string | undefined) => <dd className="when" title={dateTime(time)}>{time === undefined ? 'never' : ago(time, now)}</dd>;
  return (
    <section className="panel" aria-label="Directory">
      <header>
        <h2 className="root-path"><code>{status.root}</code></h2>
        <Badge tone={state.tone} text={state.text} moving={state.tone === 'honey'} />
      </header>
      {status.lastError !== undefined && (
        <div className="body"><Note kind="bad"><strong>Files and colony drift apart:</strong> {status.lastError}<div className="muted">It is tried again by itself; nothing that was written is lost.</div></Note></div>
      )}
      <dl className="figures">
        <div><dt>Files</dt><dd>{count(status.files)}</dd></div>
        <div><dt>Waiting</dt><dd>{count(status.waiting)}</dd></div>
        <div><dt>Findings</dt><dd>{count(status.findingCount)}</dd></div>
        <div><dt title="Since the server was started">Conflicts</dt><dd>{count(status.conflicts)}</dd></div>
        <div><dt>Last scan</dt>{when(status.lastScan)}</div>
        <div><dt>Last taken</dt>{when(status.lastPull)}</div>
        <div><dt>Last written</dt>{when(status.lastPush)}</div>
      </dl>
      <p className="root-foot small muted">
        {status.watching === true ? 'Changes are taken as they happen.' : 'Changes are taken with the next scan: this file system tells none.'} Where
        both sides changed the same field, {policyWords[status.policy ?? 'last-write']}.
      </p>
    </section>
  );
}

function Findings(props: { status: SyncStatus }) {
  const [text, setText] = useState('');
  const all = props.status.findings ?? [];
  const word = text.trim().toLowerCase();
  const shown = all.filter((each) => `${each.path} ${each.code} ${each.reason}`.toLowerCase().includes(word));
  const total = props.status.findingCount ?? all.length;
  return (
    <section className="panel" aria-label="Findings">
      <header>
        <h2>Findings</h2>
        {total > all.length && <span className="small muted num">the first {count(all.length)} of {count(total)}</span>}
        {all.length > 8 && <input className="input find" type="search" aria-label="Find findings" placeholder="Find by path or reason" value={text} onChange={(event) => setText(event.target.value)} />}
      </header>
      {all.length === 0 && <p className="body small muted">No file is odd: every one could be read and placed.</p>}
      {all.length > 0 && shown.length === 0 && <p className="body small muted">No finding fits “{text}”.</p>}
      {shown.length > 0 && (
        <ul className="finding-list">
          {shown.map((each) => (
            <li key={`${each.path} ${each.code}`}>
              <code>{each.path}</code>
              <span className="small">{each.reason}</span>
              <Badge plain tone="warn" text={each.code} />
            </li>
          ))}
        </ul>
      )}
      {all.length > 0 && <p className="root-foot small muted">Nothing is refused: the bytes of every file are kept. <code>hive sync explain FILE</code> says what was read from it, and why.</p>}
    </section>
  );
}

function Conflicts() {
  const recorded = useRecorded('sync.conflict', true);
  const all = useMemo(() => pastConflicts(recorded.data ?? []), [recorded.data]);
  if (all.length === 0) return null;
  return (
    <section className="panel" aria-label="Conflicts">
      <header><h2>Conflicts</h2><span className="small muted">changed in the file and in the colony at once</span></header>
      <div className="table-scroll" tabIndex={0} role="group" aria-label="Conflicts, scrolls sideways">
        <table className="table">
          <thead><tr><th scope="col">When</th><th scope="col">Task</th><th scope="col">Field</th><th scope="col">Stays</th><th scope="col">Lost</th></tr></thead>
          <tbody>
            {all.map((each) => (
              <tr key={each.key}>
                <td className="fit">{dateTime(each.at)}</td>
                <td><Link className="name-link" href={taskAddress(each.task)}>{each.task}</Link><div className="small muted path-words">{each.path}</div></td>
                <td className="fit">{each.field}</td>
                <td className="wrap"><Badge plain tone="good" text={each.winner === 'file' ? 'file' : 'colony'} /> {each.stays}</td>
                <td className="wrap muted">{each.lost}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Passes() {
  const pulled = useRecorded('sync.pulled', true);
  const pushed = useRecorded('sync.pushed', true);
  const all = useMemo(() => pastPasses([...(pulled.data ?? []), ...(pushed.data ?? [])]), [pulled.data, pushed.data]);
  if (all.length === 0) return null;
  return (
    <section className="panel" aria-label="Passes">
      <header><h2>What was taken and written</h2><span className="small muted">from the audit log, the newest first</span></header>
      <ul className="pass-list">
        {all.map((each) => (
          <li key={each.key}>
            <Badge plain tone={each.direction === 'pull' ? 'info' : 'honey'} text={each.direction === 'pull' ? 'taken' : 'written'} />
            <span className="grow">
              {each.files.slice(0, 3).map((path) => <code key={path}>{path}</code>)}
              {each.count > 3 && <span className="small muted">and {count(each.count - 3)} more</span>}
            </span>
            {each.conflicts > 0 && <Badge plain tone="warn" text={each.conflicts === 1 ? '1 conflict' : `${each.conflicts} conflicts`} />}
            <time className="small muted num" dateTime={each.at}>{dateTime(each.at)}</time>
          </li>
        ))}
      </ul>
    </section>
  );
}

export default function FilesPage() {
  useTitle('Files');
  const status = useSyncStatus();
  const may = useMay('tasks', 'write');
  const now = useNow();
  const [asked, setAsked] = useState<Direction>();
  useFresh(['sync.#'], files.all, 600);
  const on = status.data?.enabled === true;
  return (
    <div className="page">
      <div className="page-head">
        <div className="titles">
          <h1>Files</h1>
          <p>A directory of files is a second way into the colony: what is written there happens here, and the other way round.</p>
        </div>
        {on && may && (
          <div className="row">
            <button type="button" className="button" onClick={() => setAsked('pull')}><PullIcon /> Pull…</button>
            <button type="button" className="button" onClick={() => setAsked('push')}><PushIcon /> Push…</button>
          </div>
        )}
      </div>
      {status.isPending && <section className="panel"><Bones rows={6} /></section>}
      {status.isError && <ErrorNote error={status.error} retry={() => void status.refetch()} />}
      {status.data?.enabled === false && <Off />}
      {status.data !== undefined && on && (
        <>
          <Root status={status.data} now={now} />
          <Findings status={status.data} />
          <Conflicts />
          <Passes />
        </>
      )}
      {asked !== undefined && <PassDialog direction={asked} onClose={() => setAsked(undefined)} />}
    </div>
  );
}
