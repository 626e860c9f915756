import type { Plan, PlanStep, Swarm } from '../../api/model';
import { durationMs, span } from '../../format';
import { Empty } from '../../parts/basics';
import { Badge } from '../../parts/badges';

export interface PlacedStep extends PlanStep {
  target: string;
  at: number;
  length: number;
}

export function stepsOf(plan: Plan): PlacedStep[] {
  const placed = (target: string) => (step: PlanStep): PlacedStep => ({
    ...step,
    target,
    at: durationMs(step.time),
    length: step.duration === undefined ? 0 : durationMs(step.duration),
  });
  return [
    ...(plan.swarm ?? []).map(placed('Whole swarm')),
    ...(plan.bees ?? []).flatMap((bee) => bee.steps.map(placed(bee.beeId ?? bee.instanceId ?? bee.role ?? ''))),
  ].sort((a, b) => a.at - b.at);
}

// Until the next step of the same bee, or the end: so much room a name has.
export function roomAfter(steps: PlacedStep[], step: PlacedStep, length: number): number {
  const later = steps.filter((each) => each.target === step.target && each.at > step.at).map((each) => each.at);
  return Math.max(0, Math.min(length, ...later) - step.at);
}

function whatOf(step: PlacedStep): string {
  if (step.type === 'ramp') return `${step.field ?? ''} ${step.from === undefined ? '' : `from ${step.from} `}to ${step.to ?? ''}`;
  if (step.config !== undefined) return JSON.stringify(step.config);
  return step.type ?? '';
}

export function PlanTab(props: { swarm: Swarm }) {
  const { plan, aggregate } = props.swarm;
  const steps = stepsOf(plan);
  if (steps.length === 0) {
    return (
      <section className="panel">
        <Empty title="This swarm has no plan">It runs as it was configured until somebody stops it. A scenario may have a plan: steps and ramps by the clock.</Empty>
      </section>
    );
  }
  const progress = aggregate.planProgress;
  const last = Math.max(...steps.map((step) => step.at + step.length));
  const length = Math.max(plan.length === undefined ? 0 : durationMs(plan.length), last) || 1;
  const elapsed = progress?.elapsedMs ?? 0;
  const at = (ms: number) => `${Math.min(100, (ms / length) * 100)}%`;
  const lanes = [...new Set(steps.map((step) => step.target))];
  return (
    <div className="stack">
      <section className="panel" aria-label="Timeline">
        <header>
          <h2>Timeline</h2>
          {progress !== undefined && (
            <span className="small muted num">
              {span(Math.min(elapsed, length))} of {span(length)} · {progress.firedSteps} of {progress.totalSteps} {progress.totalSteps === 1 ? 'step' : 'steps'}
              {progress.totalRuns > 1 && ` · round ${progress.run} of ${progress.totalRuns}`}
            </span>
          )}
          <Badge tone={progress?.complete === true ? 'good' : progress === undefined ? '' : 'honey'}
            text={progress === undefined ? 'Not begun' : progress.complete ? 'Complete' : 'Under way'} />
        </header>
        <div className="timeline">
          <div className="lanes">
            {lanes.map((lane) => (
              <div className="lane" key={lane}>
                <b>{lane}</b>
                <div className="track">
                  {steps.filter((step) => step.target === lane).map((step) => {
                    const past = progress !== undefined && elapsed >= step.at + step.length ? 'past' : '';
                    return step.length > 0 ? (
                      <div key={step.stepId} className={`mark ${past}`} title={step.name ?? step.stepId} style={{ left: at(step.at), width: at(step.length), overflow: 'hidden' }}>
                        {step.name ?? step.stepId}
                      </div>
                    ) : (
                      [
                        <div key={step.stepId} className={`mark point ${past}`} title={step.name ?? step.stepId} style={{ left: at(step.at) }} />,
                        <span key={`${step.stepId}-name`} className="point-name" aria-hidden="true" style={{ left: at(step.at), width: at(roomAfter(steps, step, length)) }}>{step.name ?? step.stepId}</span>,
                      ]
                    );
                  })}
                </div>
              </div>
            ))}
            <div className="over" aria-hidden="true">
              <span className="tick" style={{ left: 0 }}>0 s</span>
              <span className="tick" style={{ left: '50%' }}>{span(length / 2)}</span>
              <span className="tick last" style={{ left: '100%' }}>{span(length)}</span>
              {progress !== undefined && <span className="cursor" style={{ left: at(elapsed) }} />}
            </div>
          </div>
        </div>
      </section>
      <section className="panel" aria-label="Steps">
        <header><h2>Steps</h2></header>
        <div className="table-scroll" tabIndex={0} role="group" aria-label="Steps, scrolls sideways">
          <table className="table stacks">
            <thead><tr><th scope="col" className="right">At</th><th scope="col">Step</th><th scope="col">For</th><th scope="col">Does</th><th scope="col">State</th></tr></thead>
            <tbody>
              {steps.map((step) => (
                <tr key={`${step.target}${step.stepId}`}>
                  <td className="right fit" data-label="at">{span(step.at)}</td>
                  <td className="lead"><b>{step.name ?? step.stepId}</b><div className="small muted">{step.type ?? 'config-update'}{step.length > 0 && ` over ${span(step.length)}`}</div></td>
                  <td data-label="for">{step.target}</td>
                  <td className="wrap mono small">{whatOf(step)}</td>
                  <td className="fit">
                    {progress !== undefined && elapsed >= step.at + step.length ? <Badge tone="good" text="Done" />
                      : progress !== undefined && elapsed >= step.at ? <Badge tone="honey" text="Under way" moving /> : <Badge tone="" text="To come" />}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
    </div>
  );
}
