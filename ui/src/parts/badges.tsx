type Tone = 'good' | 'warn' | 'bad' | 'info' | 'honey' | '';

export function phaseTone(phase: string): Tone {
  switch (phase) {
    case 'Running':
      return 'good';
    case 'Creating':
    case 'Starting':
    case 'Stopping':
    case 'Removing':
      return 'honey';
    case 'Ready':
      return 'info';
    case 'Failed':
      return 'bad';
    default:
      return '';
  }
}

export function healthTone(health: string | undefined): Tone {
  switch ((health ?? '').toLowerCase()) {
    case 'healthy':
    case 'running':
      return 'good';
    case 'degraded':
    case 'stale':
      return 'warn';
    case 'failed':
    case 'unhealthy':
    case 'gone':
    case 'missing':
      return 'bad';
    default:
      return '';
  }
}

export function Badge(props: { tone: Tone; text: string; plain?: boolean; moving?: boolean }) {
  const words = ['badge', props.tone, props.plain === true ? 'plain' : '', props.moving === true ? 'moving' : ''];
  return <span className={words.filter(Boolean).join(' ')}>{props.text}</span>;
}

export function PhaseBadge(props: { phase: string }) {
  const tone = phaseTone(props.phase);
  return <Badge tone={tone} text={props.phase} moving={tone === 'honey'} />;
}

export function HealthBadge(props: { health: string | undefined }) {
  const health = props.health ?? 'unknown';
  return <Badge tone={healthTone(health)} text={health.charAt(0).toUpperCase() + health.slice(1)} />;
}
