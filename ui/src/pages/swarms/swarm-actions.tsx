import { useState } from 'react';
import { useMay, useSwarmAction, type Outcome, type SwarmAction, type SwarmSummary } from '../../api/queries';
import { useLive } from '../../api/use-live';
import { Dialog } from '../../parts/basics';
import { MoreIcon, PlayIcon, StopIcon, TrashIcon } from '../../parts/icons';
import { Menu, MenuItem } from '../../parts/menu';
import { tell, tellFailed } from '../../parts/toasts';

const done: Record<SwarmAction, string> = { start: 'started', stop: 'stopped', remove: 'removed' };

interface Gates {
  initialized?: boolean;
  ready?: boolean;
  pendingConfigUpdates?: boolean;
}
// NotReady comes with flags of what is missing: say all of it.
function missingIn(gates: Gates): string[] {
  const words: string[] = [];
  if (gates.initialized === false) words.push('its queues and bees are not set up yet');
  if (gates.ready === false) words.push('not every bee has reported');
  if (gates.pendingConfigUpdates === true) words.push('a change of settings is still under way');
  return words;
}
export function reasonOf(outcome: Outcome): string {
  return [...(outcome.reason === undefined ? [] : [outcome.reason]), ...missingIn(outcome.context as Gates)].join('; ');
}

interface OutcomeEnvelope {
  type: string;
  data: { status: string; context?: Gates };
}

// Runs a command and tells how it ended. A controller that is not ready says so, and is asked again until
// the time for the command is up: what it said last is `refused`.
export function useTold(id: string) {
  const action = useSwarmAction(id);
  const busy = action.isPending ? action.variables : undefined;
  const [refused, setRefused] = useState<string>();
  useLive(busy === undefined ? [] : [`control.event.outcome.swarm-${busy}.${id}.#`], (event) => {
    const { data } = event.data as OutcomeEnvelope;
    if (data.status === 'NotReady') setRefused(missingIn(data.context ?? {}).join('; ') || 'its controller is busy with something else');
  });
  const act = (what: SwarmAction, after?: () => void) => {
    setRefused(undefined);
    action.mutate(what, {
      onSuccess: (outcome) => {
        if (outcome.succeeded) {
          tell('good', `${id} is ${done[what]}`);
          after?.();
        } else {
          tell('bad', `${id} could not be ${done[what]}: ${outcome.status}`, reasonOf(outcome));
        }
      },
      onError: (error) => tellFailed(`${id} could not be ${done[what]}`, error),
    });
  };
  return { act, busy, refused, outcome: action.data, error: action.error };
}

export function ConfirmRemove(props: { id: string; onClose: () => void; onRemove: () => void }) {
  return (
    <Dialog
      title={`Remove ${props.id}?`}
      onClose={props.onClose}
      foot={
        <>
          <button type="button" className="button" onClick={props.onClose}>Keep it</button>
          <button type="button" className="button danger" onClick={props.onRemove}><TrashIcon /> Remove</button>
        </>
      }
    >
      <p className="small">Its bees stop and its queues go, with everything that waits in them. The journal of the run stays.</p>
    </Dialog>
  );
}

export function SwarmActions(props: { swarm: SwarmSummary }) {
  const { swarm } = props;
  const may = useMay('swarms', 'write');
  const told = useTold(swarm.id);
  const [removing, setRemoving] = useState(false);
  if (!may) return <span className="muted">–</span>;
  const canStart = swarm.allowed.includes('start');
  const canStop = swarm.allowed.includes('stop');
  const main: SwarmAction | undefined = canStop && !canStart ? 'stop' : canStart ? 'start' : undefined;
  return (
    <>
      {main !== undefined && (
        <button
          type="button"
          className="button quiet icon small"
          aria-label={`${main === 'stop' ? 'Stop' : 'Start'} ${swarm.id}`}
          disabled={told.busy !== undefined}
          onClick={() => told.act(main)}
        >
          {told.busy !== undefined ? <span className="spin" /> : main === 'stop' ? <StopIcon /> : <PlayIcon />}
        </button>
      )}
      <Menu
        trigger={
          <button type="button" className="button quiet icon small" aria-label={`More for ${swarm.id}`}>
            <MoreIcon />
          </button>
        }
      >
        <MenuItem disabled={!canStart} onSelect={() => told.act('start')}><PlayIcon /> Start</MenuItem>
        <MenuItem disabled={!canStop} onSelect={() => told.act('stop')}><StopIcon /> Stop</MenuItem>
        <MenuItem danger disabled={!swarm.allowed.includes('remove')} onSelect={() => setRemoving(true)}>
          <TrashIcon /> Remove…
        </MenuItem>
      </Menu>
      {removing && (
        <ConfirmRemove
          id={swarm.id}
          onClose={() => setRemoving(false)}
          onRemove={() => {
            setRemoving(false);
            told.act('remove');
          }}
        />
      )}
    </>
  );
}
