import { useEffect, useMemo, useRef } from 'react';
import UPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { useIsDark } from '../theme';
import { axisLabels } from './axis-labels';
import './chart.css';

export interface Line {
  name: string;
  color: string; // a custom property of tokens.css
  values: (number | null)[];
  dashed?: boolean;
  faint?: boolean;
}

// Canvases know no custom properties, nor light-dark(): the browser is asked what they come to.
function resolved(probe: HTMLElement, color: string): string {
  probe.style.color = `var(${color})`;
  return getComputedStyle(probe).color;
}

const barPaths = UPlot.paths.bars?.({ size: [0.7, 48], radius: 0.15 });

// Half a bar more at either end, or the first and the last would be cut.
function aroundBars(plot: UPlot, low: number, high: number): [number, number] {
  const half = (high - low) / Math.max(1, (plot.data[0]?.length ?? 2) - 1) / 2 || 1;
  return [low - half, high + half];
}

function timeLabel(seconds: number): string {
  return new Date(seconds * 1000).toLocaleTimeString('en-GB');
}

export function Chart(props: {
  title: string;
  times: number[];
  lines: Line[];
  format: (value: number | undefined) => string;
  band?: [upper: number, lower: number];
  empty: string;
  height?: number;
  // What a place on the x axis is called; a time of day when it is not said.
  at?: (seconds: number) => string;
  bars?: boolean;
}) {
  const box = useRef<HTMLDivElement>(null);
  const probe = useRef<HTMLSpanElement>(null);
  const plot = useRef<UPlot>(undefined);
  const format = useRef(props.format);
  format.current = props.format;
  const at = useRef(props.at);
  at.current = props.at;
  const ofDay = props.at === undefined;
  const dark = useIsDark();
  const shape = props.lines.map((line) => `${line.name}|${line.color}`).join();
  const height = props.height ?? 190;
  const data = useMemo<UPlot.AlignedData>(
    () => [props.times, ...props.lines.map((line) => line.values)],
    [props.times, props.lines],
  );
  const latest = useRef(data);
  latest.current = data;
  const lines = useRef(props.lines);
  lines.current = props.lines;
  const { band } = props;
  const bars = props.bars === true;
  const hasPoints = props.times.length > 0;

  useEffect(() => {
    const element = box.current;
    const asked = probe.current;
    if (element === null || asked === null || !hasPoints) return undefined;
    const ink = resolved(asked, '--ink-3');
    const grid = resolved(asked, '--line');
    const axis: UPlot.Axis = {
      stroke: ink,
      font: '11px system-ui, sans-serif',
      grid: { stroke: grid, width: 1 },
      ticks: { show: false },
    };
    const made = new UPlot(
      {
        width: element.clientWidth,
        height,
        legend: { show: false },
        cursor: { y: false, points: bars ? { show: false } : { size: 7 } },
        scales: { x: { time: ofDay, ...(bars ? { range: aroundBars } : {}) }, y: { range: (_, low, high) => [Math.min(0, low), high <= 0 ? 1 : high * 1.12] } },
        axes: [
          { ...axis, size: 28, values: (_, splits) => axisLabels(splits, at.current ?? timeLabel), space: 76 },
          { ...axis, size: 62, values: (_, splits) => axisLabels(splits, format.current) },
        ],
        series: [
          {},
          ...lines.current.map((line): UPlot.Series => {
            const color = resolved(asked, line.color);
            return {
              label: line.name,
              stroke: color,
              width: line.faint === true ? 1 : 2,
              ...(bars && barPaths !== undefined ? { paths: barPaths, fill: color } : { spanGaps: true }),
              points: { show: false },
              ...(line.dashed === true ? { dash: [6, 4] } : {}),
            };
          }),
        ],
        ...(band === undefined
          ? {}
          : { bands: [{ series: band, fill: resolved(asked, '--honey').replace('rgb(', 'rgba(').replace(')', ', 0.14)') }] }),
      },
      latest.current,
      element,
    );
    plot.current = made;
    const observer = new ResizeObserver(() => made.setSize({ width: element.clientWidth, height }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      made.destroy();
      plot.current = undefined;
    };
    // The band is two small numbers; a new array with the same ones is no reason to start over.
  }, [shape, dark, height, hasPoints, ofDay, bars, band?.[0], band?.[1]]);

  useEffect(() => {
    plot.current?.setData(data);
  }, [data]);

  const last = props.lines.map((line) => {
    const value = [...line.values].reverse().find((each) => each !== null);
    return `${line.name} ${props.format(value ?? undefined)}`;
  });
  return (
    <figure className="chart">
      <figcaption>
        <h3>{props.title}</h3>
        <ul className="legend num">
          {props.lines.filter((line) => line.faint !== true).map((line) => (
            <li key={line.name}>
              <i className={line.dashed === true ? 'dashed' : ''} style={{ color: `var(${line.color})` }} />
              {line.name}
              <b>{props.format([...line.values].reverse().find((each) => each !== null) ?? undefined)}</b>
            </li>
          ))}
        </ul>
      </figcaption>
      <span ref={probe} hidden />
      <div ref={box} style={{ height }} role="img" aria-label={hasPoints ? `${props.title}: ${last.join(', ')}` : props.title}>
        {!hasPoints && <p className="chart-empty">{props.empty}</p>}
      </div>
    </figure>
  );
}
