import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { call } from '../../api/client';
import { dateTime, span } from '../../format';
import { Bones, ErrorNote, useTitle } from '../../parts/basics';
import { Badge } from '../../parts/badges';
import { Journal } from './journal';
import { ReportPanel } from './report';

export default function RunPage(props: { id: string }) {
  const run = useQuery({
    queryKey: ['run', props.id],
    queryFn: () => call('get', '/api/v1/runs/{runId}', { path: { runId: props.id } }),
  });
  useTitle(run.data?.swarm ?? 'Run');
  if (run.isPending) return <div className="page"><Bones rows={8} /></div>;
  if (run.isError) return <div className="page"><ErrorNote error={run.error} retry={() => void run.refetch()} /></div>;
  const data = run.data;
  const scenario = data.labels.scenario;
  return (
    <div className="page">
      <div className="page-head">
        <div className="titles">
          <Link href="/runs" className="crumb">Runs /</Link>
          <div className="title-row">
            <h1>{data.swarm}</h1>
            {data.ended === undefined ? <Badge tone="good" text="Still there" /> : <Badge tone="" text="Over" />}
            {data.pinned && <Badge tone="honey" text="Kept" />}
          </div>
          <p className="mono">{data.id}</p>
        </div>
        <Link className="button" href={`/runs/compare?a=${data.id}`}>Compare…</Link>
        {data.ended === undefined && <Link className="button" href={`/swarms/${data.swarm}`}>Watch it live</Link>}
      </div>
      <dl className="panel figures">
        <div><dt>Began</dt><dd className="when">{dateTime(data.created)}</dd></div>
        <div><dt>Ended</dt><dd className="when">{dateTime(data.ended)}</dd></div>
        <div><dt>Lived</dt><dd>{data.ended === undefined ? '–' : span(Date.parse(data.ended) - Date.parse(data.created))}</dd></div>
        <div><dt>Scenario</dt><dd className="when">{scenario === undefined ? '–' : <Link href={`/scenarios/${scenario}`}>{scenario}</Link>}</dd></div>
        <div><dt>By</dt><dd className="when">{data.who.replace(/^\w+:/, '')}</dd></div>
      </dl>
      {data.notes !== '' && <p className="small">{data.notes}</p>}
      <ReportPanel run={data.id} live={data.ended === undefined} />
      <Journal swarm={data.swarm} run={data.id} live={data.ended === undefined} />
    </div>
  );
}
