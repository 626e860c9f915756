import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/client';
import type { JsonObject, Swarm, Worker } from '../../api/model';
import { followed, type Outcome } from '../../api/queries';
import { Dialog, ErrorNote, Field, Note } from '../../parts/basics';
import { Badge } from '../../parts/badges';
import { tell } from '../../parts/toasts';
import { reasonOf } from '../swarms/swarm-actions';
import { changesOf, patchOf } from './config-diff';

interface Manifest {
  role: string;
  fields: { path: string; live: boolean }[];
}

function parsed(text: string): { value?: JsonObject; wrong?: string } {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return { wrong: 'This must be an object: { … }' };
    return { value: value as JsonObject };
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : String(error) };
  }
}

export function ChangeConfig(props: { swarm: Swarm; worker: Worker; config: JsonObject; onClose: () => void }) {
  const { swarm, worker } = props;
  // What the dialog began with stays, whatever the bee reports meanwhile: the diff is against what was seen.
  const [before] = useState(props.config);
  const [text, setText] = useState(() => JSON.stringify(props.config, null, 2));
  const [all, setAll] = useState(false);
  const [reviewing, setReviewing] = useState(false);
  const replicas = (swarm.aggregate.workers ?? []).filter((each) => each.role === worker.role).length;
  const { value, wrong } = parsed(text);
  const changes = value === undefined ? [] : changesOf(before, value);
  const removed = changes.filter((change) => change.after === undefined);
  const capabilities = useQuery({
    queryKey: ['capabilities'],
    staleTime: Infinity,
    queryFn: () => call('get', '/api/v1/capabilities'),
  });
  const manifest = (capabilities.data?.bees as unknown as Manifest[] | undefined)?.find((each) => each.role === worker.role);
  const isLive = (path: string) =>
    manifest?.fields.find((field) => path === field.path || path.startsWith(`${field.path}.`))?.live ?? true;

  const apply = useMutation({
    mutationFn: async (): Promise<Outcome[]> => {
      const query = { wait: '20s' };
      const body = patchOf(changes);
      if (all) {
        const answer = (await call('post', '/api/v1/swarms/{swarmId}/components/{role}/config', {
          path: { swarmId: swarm.id, role: worker.role },
          query,
          body,
        })) as { items: unknown[] };
        return Promise.all(answer.items.map(followed));
      }
      return [
        await followed(
          await call('post', '/api/v1/swarms/{swarmId}/components/{role}/{instance}/config', {
            path: { swarmId: swarm.id, role: worker.role, instance: worker.instance },
            query,
            body,
          }),
        ),
      ];
    },
    onSuccess: (outcomes) => {
      const failed = outcomes.find((outcome) => !outcome.succeeded);
      if (failed !== undefined) return;
      tell('good', `${all ? `All ${worker.role} bees have` : `${worker.instance} has`} the new settings`);
      props.onClose();
    },
  });
  const failed = apply.data?.find((outcome) => !outcome.succeeded);

  return (
    <Dialog
      wide
      title={`Settings of ${all ? `every ${worker.role}` : worker.instance}`}
      onClose={props.onClose}
      foot={
        reviewing ? (
          <>
            <button type="button" className="button" onClick={() => setReviewing(false)}>Back</button>
            <button type="button" className="button primary" disabled={apply.isPending || changes.length === removed.length}
              onClick={() => apply.mutate()}>
              {apply.isPending && <span className="spin" />} Send the change
            </button>
          </>
        ) : (
          <>
            <button type="button" className="button" onClick={props.onClose}>Cancel</button>
            <button type="button" className="button primary" disabled={wrong !== undefined || changes.length === 0}
              onClick={() => setReviewing(true)}>
              Review {changes.length === 0 ? '' : changes.length === 1 ? '1 change' : `${changes.length} changes`}
            </button>
          </>
        )
      }
    >
      {reviewing ? (
        <>
          <p className="small muted">This is what changes, while the bee works. Nothing else is touched.</p>
          <div className="diff">
            {changes.map((change) => [
              <div className="path" key={`${change.path}-p`}>
                {change.path}
                {!isLive(change.path) && <Badge tone="warn" text="takes effect at the next start" plain />}
              </div>,
              change.before !== undefined && <div className="old" key={`${change.path}-o`}>{JSON.stringify(change.before)}</div>,
              change.after !== undefined && <div className="new" key={`${change.path}-n`}>{JSON.stringify(change.after)}</div>,
            ])}
          </div>
          {removed.length > 0 && (
            <Note kind="warn">A setting cannot be taken back to nothing while a bee works: {removed.map((each) => each.path).join(', ')} stay as they are.</Note>
          )}
          {failed !== undefined && <Note kind="bad"><strong>{failed.status}.</strong> {reasonOf(failed)}</Note>}
          {apply.isError && <ErrorNote error={apply.error} />}
        </>
      ) : (
        <>
          <Field label="Settings" wrong={wrong} hint="As the bee reported them. Change values; only what differs is sent.">
            {(parts) => (
              <textarea {...parts} className="input" rows={16} spellCheck={false} value={text} onChange={(event) => setText(event.target.value)} />
            )}
          </Field>
          {replicas > 1 && (
            <label className="check">
              <input type="checkbox" checked={all} onChange={(event) => setAll(event.target.checked)} /> Send it to all {replicas} bees of the role {worker.role}
            </label>
          )}
        </>
      )}
    </Dialog>
  );
}
