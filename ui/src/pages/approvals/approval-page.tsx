import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { approvals, type Approval } from '../../api/approvals';
import { call, ProblemError } from '../../api/client';
import { useFresh } from '../../api/colony';
import { useMay, useMe } from '../../api/queries';
import { ago, dateTime, durationMs, span } from '../../format';
import { Badge } from '../../parts/badges';
import { Bones, Empty, ErrorNote, Field, Note, useNow, useTitle } from '../../parts/basics';
import { Menu, MenuItem } from '../../parts/menu';
import { MoreIcon } from '../../parts/icons';
import { tell, tellFailed } from '../../parts/toasts';
import { SecretDialog } from '../settings/secret';
import { ApprovalBadge, DecideDialog, EvidenceList, useDecide } from './parts';
import { actOf, addressOf, agreedIn, carryWords, decidersOf, isQuestion, leftOf, quorumOf, titleOf } from './words';
import '../tasks/tasks.css';
import './approvals.css';

function Decide(props: { approval: Approval }) {
  const { approval } = props;
  const [comment, setComment] = useState('');
  const decide = useDecide(approval);
  return (
    <section className="panel" aria-label="Your decision">
      <header><h2>Your decision</h2></header>
      <div className="body stack">
        <Field label="Comment" hint="Kept with your decision; may be empty">
          {(parts) => <textarea {...parts} className="input words" rows={2} maxLength={4000} value={comment} onChange={(event) => setComment(event.target.value)} />}
        </Field>
        <div className="decide">
          <button type="button" className="button danger" disabled={decide.isPending} onClick={() => decide.mutate({ verdict: 'deny', comment })}>Deny</button>
          <button type="button" className="button approve" disabled={decide.isPending} onClick={() => decide.mutate({ verdict: 'approve', comment })}>Approve</button>
        </div>
        {decide.isError && <ErrorNote error={decide.error} />}
      </div>
    </section>
  );
}

function Stages(props: { approval: Approval; now: number }) {
  const { approval } = props;
  const open = approval.state === 'open';
  return (
    <section className="panel" aria-label="Who decides">
      <header><h2>Who decides</h2></header>
      <div className="body">
        <ol className="stages">
          {approval.stages.map((stage, index) => {
            const now = open && index === approval.stage;
            return (
              <li key={index} data-now={now ? 'true' : index < approval.stage ? 'past' : 'false'}>
                <b>{decidersOf(stage)}</b>
                <div className="muted num">
                  {now ? `${agreedIn(approval, index)} of ${quorumOf(stage)} agreed · ${leftOf(approval, props.now)}`
                    : stage.within === undefined ? '' : `within ${span(durationMs(stage.within))}`}
                </div>
              </li>
            );
          })}
        </ol>
      </div>
    </section>
  );
}

function Votes(props: { approval: Approval; now: number }) {
  const { approval, now } = props;
  return (
    <section className="panel" aria-label="Votes">
      <header><h2>Votes</h2></header>
      <div className="body">
        {approval.votes.length === 0 && <p className="small muted">Nobody has voted{approval.state === 'open' ? ' yet' : ''}.</p>}
        <ul className="votes">
          {approval.votes.map((vote, index) => (
            <li key={index}>
              <b>{vote.who}</b>
              <Badge tone={vote.verdict === 'approve' ? 'good' : 'bad'} text={vote.verdict === 'approve' ? 'Approves' : 'Denies'} />
              <span className="grow" />
              <span className="muted num" title={dateTime(vote.at)}>{ago(vote.at, now)}{vote.via === 'link' && ', by link'}</span>
              {vote.comment !== undefined && vote.comment !== '' && <span className="words">“{vote.comment}”</span>}
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}

function More(props: { approval: Approval }) {
  const { approval } = props;
  const client = useQueryClient();
  const me = useMe().data;
  const admin = useMay('approvals', 'admin');
  const [overriding, setOverriding] = useState<'approve' | 'deny'>();
  const [link, setLink] = useState<string>();
  const withdraw = useMutation({
    mutationFn: async () => (await call('post', '/api/v1/approvals/{approval}/withdraw', { path: { approval: approval.id } })) as Approval,
    onSuccess: (after) => {
      client.setQueryData(approvals.one(approval.id), after);
      void client.invalidateQueries({ queryKey: approvals.all });
      tell('good', 'The request is withdrawn');
    },
    onError: (error) => tellFailed('It stays as it is', error),
  });
  const make = useMutation({
    mutationFn: () => call('post', '/api/v1/approvals/{approval}/links', { path: { approval: approval.id } }),
    onSuccess: (made) => setLink(made.url),
    onError: (error) => tellFailed('No link could be made', error),
  });
  const own = approval.requester.id === me?.id;
  if (approval.state !== 'open' || (!admin && !own && approval.mayDecide !== true)) return null;
  return (
    <>
      <Menu trigger={<button type="button" className="button"><MoreIcon /> More</button>}>
        {approval.mayDecide === true && <MenuItem onSelect={() => make.mutate()}>A link that decides once…</MenuItem>}
        {own && <MenuItem onSelect={() => withdraw.mutate()}>Withdraw it</MenuItem>}
        {admin && <MenuItem onSelect={() => setOverriding('approve')}>Override: approve…</MenuItem>}
        {admin && <MenuItem danger onSelect={() => setOverriding('deny')}>Override: deny…</MenuItem>}
      </Menu>
      {overriding !== undefined && <DecideDialog approval={approval} verdict={overriding} override onClose={() => setOverriding(undefined)} />}
      {link !== undefined && <SecretDialog title="A link that decides once" text={link} note="Whoever opens it decides in your name, without signing in. Send it to nobody but yourself." onClose={() => setLink(undefined)} />}
    </>
  );
}

function Ended(props: { approval: Approval }) {
  const { approval } = props;
  if (approval.state === 'open') return null;
  const carried = carryWords[approval.carry];
  const kind = approval.carry === 'refused' ? 'warn' : approval.state === 'approved' ? 'good' : 'info';
  return (
    <Note kind={kind}>
      <strong>
        {approval.state === 'timed_out' ? 'Nobody decided in time, so it is denied.' : approval.state === 'withdrawn' ? 'It was withdrawn.' : `${approval.state === 'approved' ? 'Approved' : 'Denied'}${approval.endedBy === undefined ? '' : ` by ${approval.endedBy}`}${approval.overridden === true ? ', against the rule' : ''}.`}
      </strong>{' '}
      {approval.reason !== undefined && approval.reason !== '' && <>“{approval.reason}” </>}
      {carried} {approval.carryNote}
    </Note>
  );
}

export default function ApprovalPage(props: { id: string }) {
  const now = useNow();
  const found = useQuery({
    queryKey: approvals.one(props.id),
    queryFn: async () => (await call('get', '/api/v1/approvals/{approval}', { path: { approval: props.id } })) as Approval,
  });
  useFresh(['approval.#'], approvals.all);
  const approval = found.data;
  useTitle(approval === undefined ? 'Approval' : titleOf(approval));
  if (found.isPending) return <div className="page"><Bones rows={10} /></div>;
  if (approval === undefined) {
    const gone = found.error instanceof ProblemError && (found.error.status === 404 || found.error.status === 400);
    return (
      <div className="page">
        {gone ? <Empty title="There is no such request" action={<Link className="button" href="/approvals">All approvals</Link>}>The address is not right, or it is of another hive.</Empty>
          : <ErrorNote error={found.error} retry={() => void found.refetch()} />}
      </div>
    );
  }
  const address = addressOf(approval.act);
  const facts = Object.entries((approval.act.facts ?? {}) as Record<string, unknown>);
  return (
    <div className="page">
      <div className="page-head">
        <div className="titles">
          <Link href="/approvals" className="crumb">Approvals /</Link>
          <div className="title-row"><h1>{titleOf(approval)}</h1><ApprovalBadge approval={approval} /></div>
          <p className="num">asked by {approval.requester.id} {ago(approval.createdAt, now)}{approval.state === 'open' && <> · {leftOf(approval, now)}</>}</p>
        </div>
        <More approval={approval} />
      </div>
      <Ended approval={approval} />
      <div className="task-grid">
        <div className="stack">
          {approval.mayDecide === true && <Decide approval={approval} />}
          <section className="panel" aria-label="Evidence">
            <header><h2>Evidence</h2></header>
            <div className="body">
              {approval.evidence.length === 0 ? <p className="small muted">Nothing was given to decide by.</p> : <EvidenceList evidence={approval.evidence} />}
            </div>
          </section>
          <Votes approval={approval} now={now} />
        </div>
        <div className="stack">
          <section className="panel" aria-label="About it">
            <header><h2>{isQuestion(approval.act) ? 'About it' : 'What happens when it is approved'}</h2></header>
            <div className="body">
              <dl className="facts">
                <div><dt>Act</dt><dd>{isQuestion(approval.act) ? 'a question: nothing is held back' : address === undefined ? actOf(approval.act) : <Link href={address}>{actOf(approval.act)}</Link>}</dd></div>
                <div><dt>Asked by</dt><dd>{approval.requester.id} <Badge plain tone="" text={approval.requester.role} /></dd></div>
                {approval.ruleName !== undefined && <div><dt>Because of</dt><dd>rule “{approval.ruleName}”</dd></div>}
                <div><dt>Asked</dt><dd>{dateTime(approval.createdAt)}</dd></div>
                {facts.map(([name, value]) => <div key={name}><dt>{name}</dt><dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd></div>)}
              </dl>
            </div>
          </section>
          <Stages approval={approval} now={now} />
        </div>
      </div>
    </div>
  );
}
