import { useEffect, useRef, useSyncExternalStore } from 'react';
import { live, type LiveEvent, type LiveState } from './live';

export function useLiveState(): LiveState {
  return useSyncExternalStore(live.watchState, () => live.state);
}

// Hears topics while the component is shown. Topics are joined to one text, so that a new array with
// the same words is no new subscription.
export function useLive(topics: string[], heard: (event: LiveEvent) => void): void {
  const latest = useRef(heard);
  useEffect(() => {
    latest.current = heard;
  });
  const key = topics.join(' ');
  useEffect(() => {
    if (key === '') return undefined;
    return live.listen(key.split(' '), (event) => latest.current(event));
  }, [key]);
}
