import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { keys, useRuns, type SwarmSummary } from '../../api/queries';
import { useLive } from '../../api/use-live';
import { Bones, Empty, ErrorNote, useTitle } from '../../parts/basics';
import { RunTable } from './run-table';

export default function RunsPage() {
  useTitle('Runs');
  const runs = useRuns();
  const client = useQueryClient();
  // A run begins with its swarm and ends with it; all that happens between changes nothing here.
  useLive(['swarm.state.*'], (event) => {
    const swarm = event.data as SwarmSummary;
    const known = runs.data?.items.find((run) => run.id === swarm.run);
    const stale = runs.data !== undefined && (known === undefined ? swarm.phase !== 'Removed' : swarm.phase === 'Removed' && known.ended === undefined);
    if (stale && !runs.isFetching) void client.invalidateQueries({ queryKey: keys.runs });
  });
  const [text, setText] = useState('');
  const word = text.trim().toLowerCase();
  const shown = (runs.data?.items ?? []).filter((run) =>
    `${run.swarm} ${run.id} ${run.labels.scenario ?? ''} ${run.who} ${run.notes}`.toLowerCase().includes(word),
  );
  return (
    <div className="page">
      <div className="page-head">
        <div className="titles">
          <h1>Runs</h1>
          <p>Each life of a swarm, from creation to removal, with its journal. Old ones are swept unless you keep them.</p>
        </div>
      </div>
      {runs.isError && <ErrorNote error={runs.error} retry={() => void runs.refetch()} />}
      <section className="panel" aria-label="All runs">
        {runs.isPending && <Bones rows={8} />}
        {runs.isSuccess && runs.data.items.length === 0 && <Empty title="Nothing has run yet">Make a swarm of a scenario; its life is written down here.</Empty>}
        {(runs.data?.items.length ?? 0) > 0 && (
          <>
            <header>
              <h2 className="num">{shown.length} {shown.length === 1 ? 'run' : 'runs'}{runs.data?.next !== undefined && ', the newest'}</h2>
              <input className="input find" type="search" aria-label="Find runs" placeholder="Find by swarm, scenario, person" value={text} onChange={(event) => setText(event.target.value)} />
            </header>
            <RunTable runs={shown} />
          </>
        )}
      </section>
    </div>
  );
}
