import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { files, runPass, type Direction } from '../../api/files';
import { count } from '../../format';
import { Bones, Dialog, ErrorNote, Note } from '../../parts/basics';
import { PullIcon, PushIcon } from '../../parts/icons';
import { tell } from '../../parts/toasts';
import { doneBy, foundBy } from './words';

// Looks first: what would be done is shown before anything is.
export function PassDialog(props: { direction: Direction; onClose: () => void }) {
  const pulls = props.direction === 'pull';
  const client = useQueryClient();
  const dry = useQuery({
    queryKey: ['dry-run', props.direction],
    gcTime: 0,
    staleTime: Infinity,
    retry: false,
    queryFn: () => runPass(props.direction, true),
  });
  const act = useMutation({
    mutationFn: () => runPass(props.direction, false),
    onSuccess: (pass) => {
      tell('good', doneBy(pass));
      void client.invalidateQueries({ queryKey: files.all });
      props.onClose();
    },
  });
  const pass = dry.data;
  const idle = pass === undefined || pass.changed === 0;
  const unseen = pass === undefined ? 0 : pass.changed - pass.changes.length;
  return (
    <Dialog wide title={pulls ? 'Take what the files say' : 'Write what the colony knows'} onClose={props.onClose}
      foot={
        <>
          <button type="button" className="button" onClick={props.onClose}>{idle ? 'Close' : 'Cancel'}</button>
          {!idle && (
            <button type="button" className="button primary" disabled={act.isPending} onClick={() => act.mutate()}>
              {act.isPending ? <span className="spin" /> : pulls ? <PullIcon /> : <PushIcon />} {pulls ? 'Take' : 'Write'} {count(pass.changed)} {pass.changed === 1 ? 'file' : 'files'}
            </button>
          )}
        </>
      }>
      <p className="small muted">
        {pulls
          ? 'Every file is read now and compared by content. What changed is taken into the colony.'
          : 'The file of every task is compared with the task. Those that are missing or say something else are written.'}
      </p>
      {dry.isPending && <Bones rows={3} />}
      {dry.isError && <ErrorNote error={dry.error} retry={() => void dry.refetch()} />}
      {pass !== undefined && (
        <>
          <Note kind={idle ? 'good' : 'info'}><strong>{foundBy(pass)}</strong>{!idle && ' Nothing has been done yet.'}</Note>
          {pass.changes.length > 0 && (
            <ul className="pass-changes" aria-label="What would be done">
              {pass.changes.map((change) => (
                <li key={change.path}><code>{change.path}</code><span className="small">{change.what}</span></li>
              ))}
              {unseen > 0 && <li className="small muted">and {count(unseen)} more</li>}
            </ul>
          )}
          {pass.conflicts.length > 0 && (
            <Note kind="warn">
              <strong>Changed on both sides:</strong>
              <ul>{pass.conflicts.map((each) => <li key={`${each.path}${each.field}`}><code>{each.path}</code>: {each.what}</li>)}</ul>
            </Note>
          )}
        </>
      )}
      {act.isError && <ErrorNote error={act.error} />}
    </Dialog>
  );
}
