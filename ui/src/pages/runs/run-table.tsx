import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { call } from '../../api/client';
import { keys, useMay, type Run } from '../../api/queries';
import { dateTime, span } from '../../format';
import { useNow } from '../../parts/basics';
import { Badge } from '../../parts/badges';
import { CloseIcon, PinIcon } from '../../parts/icons';
import { tell } from '../../parts/toasts';

export function usePin() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (run: Run) =>
      call('patch', '/api/v1/runs/{runId}', { path: { runId: run.id }, body: { pinned: !run.pinned } }),
    onSuccess: () => void client.invalidateQueries({ queryKey: keys.runs }),
    onError: (error) => tell('bad', 'The run stays as it was', error.message),
  });
}

export function RunTable(props: { runs: Run[] }) {
  const now = useNow();
  const may = useMay('swarms', 'write');
  const pin = usePin();
  const [, go] = useLocation();
  const [chosen, setChosen] = useState<string[]>([]);
  // Two at most: whoever chooses a third means it instead of the first.
  const choose = (id: string) => setChosen((before) => (before.includes(id) ? before.filter((each) => each !== id) : [...before, id].slice(-2)));
  return (
    <>
      <div className="table-scroll" tabIndex={0} role="group" aria-label="Runs, scrolls sideways">
        <table className="table stacks">
          <thead>
            <tr><th scope="col"><span className="hidden-text">Compare</span></th><th scope="col">Swarm</th><th scope="col">Scenario</th><th scope="col">Began</th><th scope="col" className="right">Lived</th><th scope="col">By</th><th scope="col">Notes</th><th scope="col"><span className="hidden-text">Keep</span></th></tr>
          </thead>
          <tbody>
            {props.runs.map((run) => (
              <tr key={run.id}>
                <td className="fit pick"><input type="checkbox" aria-label={`Compare ${run.swarm} of ${dateTime(run.created)}`} checked={chosen.includes(run.id)} onChange={() => choose(run.id)} /></td>
                <td className="lead"><Link className="name-link" href={`/runs/${run.id}`}>{run.swarm}</Link><div className="small muted mono">{run.id}</div></td>
                <td>{run.labels.scenario ?? '–'}</td>
                <td className="fit">{dateTime(run.created)}</td>
                <td className="right fit" data-label="lived">
                  {run.ended === undefined ? `${span(now - Date.parse(run.created))} so far` : span(Date.parse(run.ended) - Date.parse(run.created))}
                </td>
                <td data-label="by">{run.who.replace(/^\w+:/, '')}</td>
                <td className="wrap">{run.notes}</td>
                <td className="fit">
                  {may ? (
                    <button type="button" className={run.pinned ? 'button small' : 'button small quiet'} aria-pressed={run.pinned} disabled={pin.isPending} onClick={() => pin.mutate(run)}>
                      <PinIcon /> {run.pinned ? 'Kept' : 'Keep'}<span className="hidden-text"> run of {run.swarm}</span>
                    </button>
                  ) : run.pinned ? <Badge tone="honey" text="Kept" /> : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {chosen.length > 0 && (
        <div className="chosen" role="region" aria-label="Runs to compare">
          <b>{chosen.length === 1 ? 'Choose another run' : '2 runs chosen'}</b>
          <span className="grow" />
          <button type="button" className="button small primary" disabled={chosen.length < 2} onClick={() => go(`/runs/compare?a=${chosen[0] ?? ''}&b=${chosen[1] ?? ''}`)}>Compare them</button>
          <button type="button" className="button quiet icon small" aria-label="Choose none" onClick={() => setChosen([])}><CloseIcon /></button>
        </div>
      )}
    </>
  );
}
