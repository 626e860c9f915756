import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'wouter';
import { call } from '../../api/client';
import type { AuditEntry } from '../../api/model';
import { auditPage, type AuditFilter } from '../../api/queries';
import { count, dateTime } from '../../format';
import { Bones, Copy, Dialog, Empty, ErrorNote, Field, Note, useTitle } from '../../parts/basics';
import { Badge } from '../../parts/badges';
import { AuditIcon } from '../../parts/icons';
import { rootOf } from './merkle';
import './audit.css';

const nothing: AuditFilter = { actor: '', action: '', entityType: '', entityId: '' };
const names = Object.keys(nothing) as (keyof AuditFilter)[];

// What is searched for is part of the address, so that it can be shared.
function filterIn(search: URLSearchParams): AuditFilter {
  return Object.fromEntries(names.map((name) => [name, search.get(name) ?? ''])) as unknown as AuditFilter;
}
function searchFor(filter: AuditFilter): URLSearchParams {
  return new URLSearchParams(names.filter((name) => filter[name] !== '').map((name) => [name, filter[name].trim()]));
}

function Verified() {
  const verify = useMutation({
    mutationFn: async () => ({
      report: await call('get', '/api/v1/audit/verify'),
      checkpoint: await call('get', '/api/v1/audit/checkpoints/latest').catch(() => undefined),
    }),
  });
  const report = verify.data?.report;
  return (
    <section className="panel" aria-label="Verification">
      <header>
        <h2>Is the record whole?</h2>
        <button type="button" className="button primary" disabled={verify.isPending} onClick={() => verify.mutate()}>
          {verify.isPending ? <span className="spin" /> : <AuditIcon />} Verify
        </button>
      </header>
      <div className="body stack">
        {verify.isError && <ErrorNote error={verify.error} />}
        {report === undefined ? (
          <p className="small muted">
            Every entry is chained to the one before, all of them are leaves of a Merkle tree, and its root is signed. Verifying
            computes all of it again from what is stored.
          </p>
        ) : (
          <>
            {report.good ? (
              <Note kind="good"><strong>Nothing was changed or taken away.</strong> All {count(report.entries)} entries were hashed again and lead to the signed root.</Note>
            ) : (
              <Note kind="bad">
                <strong>The record is not whole.</strong> Entry {report.fault?.sequence}: {report.fault?.reason}
                <div className="muted">Keep the data directory as it is, and compare with a checkpoint that was kept elsewhere.</div>
              </Note>
            )}
            <dl className="proof">
              <div><dt>Entries</dt><dd className="num">{count(report.entries)}</dd></div>
              <div><dt>Covered by signatures</dt><dd className="num">{count(report.covered)}, by {count(report.checkpoints)} {report.checkpoints === 1 ? 'checkpoint' : 'checkpoints'}</dd></div>
              <div><dt>Details erased</dt><dd className="num">{count(report.erased)}</dd></div>
              <div><dt>Root</dt><dd className="mono">{report.root}</dd></div>
            </dl>
            {verify.data?.checkpoint !== undefined && (
              <details>
                <summary>Signed checkpoint of {dateTime(verify.data.checkpoint.time)}: keep it elsewhere</summary>
                <pre className="checkpoint" tabIndex={0}>{verify.data.checkpoint.note}</pre>
                <Copy text={verify.data.checkpoint.note} label="Copy the checkpoint" />
              </details>
            )}
          </>
        )}
      </div>
    </section>
  );
}

function EntryDialog(props: { entry: AuditEntry; onClose: () => void }) {
  const { entry } = props;
  const proof = useQuery({
    queryKey: ['inclusion', entry.sequence],
    queryFn: async () => {
      const given = await call('get', '/api/v1/audit/proofs/inclusion', { query: { sequence: entry.sequence } });
      // Only pages from a trusted origin may hash; elsewhere the path is shown and nothing is claimed.
      const able = globalThis.isSecureContext;
      const root = able ? await rootOf({ index: given.index ?? 0, size: given.size, leaf: given.leaf ?? '', path: given.path }) : undefined;
      return { given, able, same: root === given.root };
    },
  });
  return (
    <Dialog wide title={`Entry ${entry.sequence}: ${entry.action}`} onClose={props.onClose}>
      <dl className="proof">
        <div><dt>When</dt><dd>{dateTime(entry.time)}</dd></div>
        <div><dt>Who</dt><dd>{entry.actor}</dd></div>
        <div><dt>On</dt><dd>{entry.entityType} {entry.entityId}</dd></div>
        {entry.requestId !== '' && <div><dt>Request</dt><dd className="mono">{entry.requestId}</dd></div>}
        <div><dt>Hash</dt><dd className="mono">{entry.hash}</dd></div>
      </dl>
      <div>
        <h3>Details</h3>
        <pre className="checkpoint" tabIndex={0}>{entry.details === undefined ? 'Erased for good; the proof stays valid.' : JSON.stringify(entry.details, null, 2)}</pre>
      </div>
      <div className="stack tight">
        <h3>Proof that it is part of the log</h3>
        {proof.isError && <ErrorNote error={proof.error} />}
        {proof.isPending && <Bones rows={2} />}
        {proof.isSuccess && (
          <>
            {proof.data.same ? <Note kind="good"><strong>Your browser came to the same root</strong> from this entry and its {proof.data.given.path.length} neighbours, of {count(proof.data.given.size)} entries.</Note>
              : proof.data.able ? <Note kind="bad"><strong>The path does not lead to the root.</strong> The log is not what it claims to be.</Note>
                : <Note>Open this page over HTTPS to have the proof checked by your browser.</Note>}
            <details>
              <summary>The path</summary>
              <ol className="path">
                <li><span>leaf</span><code>{proof.data.given.leaf}</code></li>
                {proof.data.given.path.map((step, index) => <li key={step}><span>{index + 1}</span><code>{step}</code></li>)}
                <li><span>root</span><code>{proof.data.given.root}</code></li>
              </ol>
            </details>
          </>
        )}
      </div>
    </Dialog>
  );
}

export default function AuditPage() {
  useTitle('Audit');
  const [search, setSearch] = useSearchParams();
  const key = search.toString();
  const filter = useMemo(() => filterIn(new URLSearchParams(key)), [key]);
  const [typed, setTyped] = useState(filter);
  useEffect(() => setTyped(filter), [filter]);
  const [open, setOpen] = useState<AuditEntry>();
  const pages = useInfiniteQuery({
    queryKey: ['audit', filter],
    initialPageParam: '',
    queryFn: ({ pageParam }) => auditPage(filter, pageParam === '' ? undefined : pageParam),
    getNextPageParam: (last) => last.next,
  });
  const entries = (pages.data?.pages ?? []).flatMap((page) => page.items);
  const field = (name: keyof AuditFilter, label: string, placeholder: string) => (
    <Field label={label}>
      {(parts) => <input {...parts} className="input" value={typed[name]} placeholder={placeholder} onChange={(event) => setTyped({ ...typed, [name]: event.target.value })} />}
    </Field>
  );
  return (
    <div className="page">
      <div className="page-head">
        <div className="titles">
          <h1>Audit</h1>
          <p>Who did what, in an order that cannot be changed afterwards without being found out.</p>
        </div>
      </div>
      <Verified />
      <section className="panel" aria-label="Entries">
        <header>
          <form className="filters grow" onSubmit={(event) => { event.preventDefault(); setSearch(searchFor(typed)); }}>
            {field('actor', 'Who', 'admin:root')}
            {field('action', 'What', 'swarm.created')}
            {field('entityType', 'On a', 'swarm')}
            {field('entityId', 'Named', 'alpha')}
            <button type="submit" className="button">Search</button>
            {names.some((name) => filter[name] !== '') && <button type="button" className="button quiet" onClick={() => setSearch(new URLSearchParams())}>Show all</button>}
          </form>
        </header>
        {pages.isPending && <Bones rows={8} />}
        {pages.isError && <div className="body"><ErrorNote error={pages.error} retry={() => void pages.refetch()} /></div>}
        {pages.isSuccess && entries.length === 0 && <Empty title="Nothing fits">No entry has exactly these words. Names are compared as a whole; leave a field empty to ignore it.</Empty>}
        {entries.length > 0 && (
          <div className="table-scroll" tabIndex={0} role="group" aria-label="Audit entries, scrolls sideways">
            <table className="table stacks">
              <thead><tr><th scope="col" className="right">No.</th><th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">On</th><th scope="col">Hash</th><th scope="col"><span className="hidden-text">Open</span></th></tr></thead>
              <tbody>
                {entries.map((entry) => (
                  <tr key={entry.sequence}>
                    <td className="right fit" data-label="No.">{entry.sequence}</td>
                    <td className="fit">{dateTime(entry.time)}</td>
                    <td>{entry.actor}</td>
                    <td><Badge plain tone={entry.action.includes('denied') || entry.action.includes('refused') ? 'warn' : ''} text={entry.action} /></td>
                    <td className="lead wrap">{entry.entityType} <b>{entry.entityId}</b></td>
                    <td className="fit mono muted">{entry.hash.slice(0, 10)}…</td>
                    <td className="fit"><button type="button" className="button small quiet" onClick={() => setOpen(entry)}>Proof<span className="hidden-text"> of entry {entry.sequence}</span></button></td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        {pages.hasNextPage && <div className="body"><button type="button" className="button small" disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>Older entries</button></div>}
      </section>
      {open !== undefined && <EntryDialog entry={open} onClose={() => setOpen(undefined)} />}
    </div>
  );
}
