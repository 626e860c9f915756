import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { approvals, type Approval, type Evidence } from '../../api/approvals';
import { call } from '../../api/client';
import { Badge } from '../../parts/badges';
import { Dialog, ErrorNote, Field } from '../../parts/basics';
import { tell } from '../../parts/toasts';
import { safeLink, stateTones, stateWords, titleOf } from './words';

export function ApprovalBadge(props: { approval: Approval }) {
  const { approval } = props;
  return (
    <>
      <Badge tone={stateTones[approval.state]} text={stateWords[approval.state]} moving={approval.state === 'open'} />
      {approval.overridden === true && <Badge plain tone="warn" text="Overridden" />}
    </>
  );
}

export function useDecide(approval: Approval) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (order: { verdict: 'approve' | 'deny'; comment?: string; override?: boolean }) => {
      const path = { approval: approval.id };
      const words = (order.comment ?? '').trim();
      if (order.override === true) {
        return (await call('post', '/api/v1/approvals/{approval}/override', { path, body: { verdict: order.verdict, reason: words } })) as Approval;
      }
      return (await call('post', '/api/v1/approvals/{approval}/decision', { path, body: { verdict: order.verdict, ...(words === '' ? {} : { comment: words }) } })) as Approval;
    },
    onSuccess: (after) => {
      client.setQueryData(approvals.one(approval.id), after);
      void client.invalidateQueries({ queryKey: approvals.all });
      if (after.state === 'open') tell('info', 'Your vote counts', 'Others have to agree as well.');
      else tell(after.state === 'approved' ? 'good' : 'info', `It is ${stateWords[after.state].toLowerCase()}`, titleOf(after));
    },
  });
}

export function DecideDialog(props: { approval: Approval; verdict: 'approve' | 'deny'; override?: boolean; onClose: () => void }) {
  const { approval, verdict } = props;
  const override = props.override === true;
  const [words, setWords] = useState('');
  const decide = useDecide(approval);
  const approve = verdict === 'approve';
  return (
    <Dialog
      title={override ? `Override: ${approve ? 'approve' : 'deny'}` : approve ? 'Approve' : 'Deny'}
      onClose={props.onClose}
      foot={
        <>
          <button type="button" className="button" onClick={props.onClose}>Not now</button>
          <button type="submit" form="decide" className={approve ? 'button approve' : 'button danger'} disabled={decide.isPending || (override && words.trim() === '')}>
            {decide.isPending && <span className="spin" />} {approve ? 'Approve' : 'Deny'}
          </button>
        </>
      }
    >
      <form id="decide" className="stack" onSubmit={(event) => {
        event.preventDefault();
        decide.mutate({ verdict, comment: words, override }, { onSuccess: props.onClose });
      }}>
        <p className="small"><b>{titleOf(approval)}</b>, asked for by {approval.requester.id}.</p>
        {override && <p className="small muted">This ends the request whatever its rule says. Everybody will read that you did it, and why.</p>}
        {!override && !approve && <p className="small muted">One denial is enough: nothing happens.</p>}
        <Field label={override ? 'Why' : 'Comment'} hint={override ? 'Needed: it is kept in the audit log' : 'Kept with your decision'}>
          {(parts) => <textarea {...parts} className="input words" rows={3} maxLength={4000} value={words} onChange={(event) => setWords(event.target.value)} />}
        </Field>
        {decide.isError && <ErrorNote error={decide.error} />}
      </form>
    </Dialog>
  );
}

export function EvidenceList(props: { evidence: Evidence[] }) {
  return (
    <ul className="evidence">
      {props.evidence.map((each, index) => {
        const link = each.kind === 'link' ? safeLink(each.value) : undefined;
        const title = each.title ?? (each.kind === 'link' ? 'Link' : each.kind === 'json' ? 'Data' : 'Text');
        return (
          <li key={index}>
            <h3>{title}</h3>
            {link !== undefined ? <a href={link} target="_blank" rel="noopener noreferrer">{link}</a>
              : each.kind === 'json' ? <pre className="json" tabIndex={0} aria-label={title}>{JSON.stringify(each.value, null, 2)}</pre>
                : <p className="prose">{String(each.value)}</p>}
          </li>
        );
      })}
    </ul>
  );
}
