import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useSearchParams } from 'wouter';
import { approvalAddress, approvals, useOpenApprovals, type Approval } from '../../api/approvals';
import { call } from '../../api/client';
import { useFresh } from '../../api/colony';
import { useMay } from '../../api/queries';
import { ago, dateTime } from '../../format';
import { Badge } from '../../parts/badges';
import { Bones, Empty, ErrorNote, Field, useNow, useTitle } from '../../parts/basics';
import { ApprovalBadge, DecideDialog } from './parts';
import { actOf, agreedIn, leftOf, quorumOf, stateWords, titleOf } from './words';
import '../tasks/tasks.css';
import './approvals.css';

function Card(props: { approval: Approval; now: number; onDecide: (approval: Approval, verdict: 'approve' | 'deny') => void }) {
  const { approval, now } = props;
  const quorum = quorumOf(approval.stages[approval.stage]);
  return (
    <li className="panel approval-card" data-mine={approval.mayDecide === true}>
      <div className="row">
        <span className="small muted grow num">{approval.requester.id} · {ago(approval.createdAt, now)}</span>
        {approval.evidence.length > 0 && <Badge plain tone="info" text={approval.evidence.length === 1 ? '1 piece of evidence' : `${approval.evidence.length} pieces of evidence`} />}
      </div>
      <h3><Link href={approvalAddress(approval.id)} className="name-link">{titleOf(approval)}</Link></h3>
      <p className="small muted">
        {[actOf(approval.act), approval.ruleName === undefined ? '' : `rule “${approval.ruleName}”`].filter((each) => each !== '' && each.toLowerCase() !== titleOf(approval).toLowerCase()).join(' · ')}
      </p>
      <div className="foot">
        <span className="small muted grow num">{quorum > 1 && `${agreedIn(approval, approval.stage)} of ${quorum} agreed · `}{leftOf(approval, now)}</span>
        {approval.mayDecide === true && (
          <>
            <button type="button" className="button danger" onClick={() => props.onDecide(approval, 'deny')}>Deny<span className="hidden-text"> {titleOf(approval)}</span></button>
            <button type="button" className="button approve" onClick={() => props.onDecide(approval, 'approve')}>Approve<span className="hidden-text"> {titleOf(approval)}</span></button>
          </>
        )}
      </div>
    </li>
  );
}

function Past() {
  const [search, setSearch] = useSearchParams();
  const state = search.get('state') ?? '';
  const pages = useInfiniteQuery({
    queryKey: [...approvals.all, 'past', state],
    initialPageParam: '',
    queryFn: async ({ pageParam }) => (await call('get', '/api/v1/approvals', { query: { state, limit: 50, cursor: pageParam } })) as { items: Approval[]; next?: string },
    getNextPageParam: (last) => last.next,
  });
  const items = (pages.data?.pages ?? []).flatMap((page) => page.items).filter((approval) => state !== '' || approval.state !== 'open');
  return (
    <section className="panel" aria-label="Decided">
      <header>
        <h2>Decided</h2>
        <div className="filters">
          <Field label="State">
            {(parts) => (
              <select {...parts} className="input" value={state} onChange={(event) => setSearch(event.target.value === '' ? new URLSearchParams() : new URLSearchParams({ state: event.target.value }), { replace: true })}>
                <option value="">any</option>
                {(['approved', 'denied', 'timed_out', 'withdrawn'] as const).map((each) => <option key={each} value={each}>{stateWords[each]}</option>)}
              </select>
            )}
          </Field>
        </div>
      </header>
      {pages.isPending && <Bones rows={4} />}
      {pages.isError && <div className="body"><ErrorNote error={pages.error} retry={() => void pages.refetch()} /></div>}
      {pages.isSuccess && items.length === 0 && <p className="body small muted">{state === '' ? 'Nothing has been decided yet.' : 'None ended like that.'}</p>}
      {items.length > 0 && (
        <div className="table-scroll" tabIndex={0} role="group" aria-label="Decided, scrolls sideways">
          <table className="table stacks">
            <thead><tr><th scope="col">Request</th><th scope="col">State</th><th scope="col">Asked by</th><th scope="col">Ended by</th><th scope="col">When</th></tr></thead>
            <tbody>
              {items.map((approval) => (
                <tr key={approval.id}>
                  <td className="wrap lead"><Link href={approvalAddress(approval.id)} className="name-link">{titleOf(approval)}</Link></td>
                  <td className="fit"><ApprovalBadge approval={approval} /></td>
                  <td data-label="asked by">{approval.requester.id}</td>
                  <td data-label="ended by">{approval.endedBy ?? '–'}</td>
                  <td className="fit">{dateTime(approval.endedAt)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {pages.hasNextPage && <div className="body"><button type="button" className="button small" disabled={pages.isFetchingNextPage} onClick={() => void pages.fetchNextPage()}>Older</button></div>}
    </section>
  );
}

export default function ApprovalsPage() {
  useTitle('Approvals');
  const now = useNow();
  const open = useOpenApprovals();
  const admin = useMay('approvals', 'admin');
  const [asked, setAsked] = useState<{ approval: Approval; verdict: 'approve' | 'deny' }>();
  useFresh(['approval.#'], approvals.all);
  const items = open.data ?? [];
  // Those that wait for this person first, then those whose time is up soonest.
  const sorted = [...items].sort((a, b) => Number(b.mayDecide === true) - Number(a.mayDecide === true) || a.stageEnds.localeCompare(b.stageEnds));
  const mine = items.filter((approval) => approval.mayDecide === true).length;
  return (
    <div className="page">
      <div className="page-head">
        <div className="titles">
          <h1>Approvals</h1>
          <p>{items.length === 0 ? 'What waits for somebody to agree.' : `${items.length} ${items.length === 1 ? 'waits' : 'wait'} for somebody to agree, ${mine === 0 ? 'none of them' : mine} for you.`}</p>
        </div>
        {admin && <Link className="button" href="/settings/rules">Rules</Link>}
      </div>
      {open.isError && <ErrorNote error={open.error} retry={() => void open.refetch()} />}
      {open.isPending && <section className="panel"><Bones rows={5} /></section>}
      {open.isSuccess && items.length === 0 && (
        <section className="panel">
          <Empty title="Nothing waits for approval" {...(admin ? { action: <Link className="button" href="/settings/rules">See the rules</Link> } : {})}>
            Rules say what needs a second pair of eyes; bees and people may also ask by themselves. What they ask appears here at once.
          </Empty>
        </section>
      )}
      {items.length > 0 && (
        <section aria-label="Open">
          <ul className="approval-cards">{sorted.map((approval) => <Card key={approval.id} approval={approval} now={now} onDecide={(which, verdict) => setAsked({ approval: which, verdict })} />)}</ul>
        </section>
      )}
      <Past />
      {asked !== undefined && <DecideDialog approval={asked.approval} verdict={asked.verdict} onClose={() => setAsked(undefined)} />}
    </div>
  );
}
