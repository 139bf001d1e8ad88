import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import { summaryOf, type Line } from '../samples.js';
import { numberText } from './numbers.js';
import { Table } from './table.js';

export type ChartLine = { readonly name: string; readonly line: Line; readonly color: '--accent' | '--bad' };

type Props = {
  readonly title: string;
  /** What the chart shows, for somebody who sees it for the first time. */
  readonly meaning: string;
  readonly unit: string;
  readonly lines: readonly ChartLine[];
  /** Whether the sum over the hour means something: of counts, but not of times. */
  readonly isCount?: boolean;
};

const HEIGHT = 130;
const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const EXACT = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });

const dataOf = (lines: readonly ChartLine[]): uPlot.AlignedData =>
  [lines[0]?.line.times ?? [], ...lines.map(({ line }) => line.values)] as unknown as uPlot.AlignedData;

/** Returns the value at an index, or a dash where there is none. */
const valueText = ({ values }: Line, index: number): string => {
  const value = values[index] ?? null;
  return value === null ? '–' : numberText(value);
};

/** The colours of the stylesheet. A canvas does not know them, and they change with the colour scheme. */
const colorOf = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

const optionsOf = (lines: readonly ChartLine[], width: number, onIndex: (index: number | null) => void): uPlot.Options => {
  const axis = {
    stroke: colorOf('--soft'),
    font: '12px system-ui, sans-serif',
    grid: { stroke: colorOf('--line'), width: 1 },
    ticks: { show: false },
  };
  return {
    width,
    height: HEIGHT,
    padding: [8, 8, 0, 0],
    legend: { show: false },
    cursor: { sync: { key: 'console' }, drag: { x: false, y: false }, points: { size: 6 } },
    scales: { y: { range: (_, __, largest) => [0, Math.max(1, largest * 1.1)] } },
    axes: [
      { ...axis, grid: { show: false }, size: 24, space: 70, values: (_, times) => times.map((time) => CLOCK.format(time * 1_000)) },
      { ...axis, size: 44, space: 30, values: (_, values) => values.map(numberText) },
    ],
    series: [
      {},
      ...lines.map(({ color }, index) => ({
        stroke: colorOf(color),
        width: 1.5,
        ...(index === 0 && { fill: `color-mix(in srgb, ${colorOf(color)} 14%, transparent)` }),
        points: { show: false },
      })),
    ],
    hooks: { setCursor: [({ cursor: { idx } }) => onIndex(idx ?? null)] },
  };
};

/** Draws the lines, and draws them anew when the width or the colour scheme changes. */
const useDrawing = (lines: readonly ChartLine[], onIndex: (index: number | null) => void) => {
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const [scheme, setScheme] = useState(0);
  const names = lines.map(({ name }) => name).join();
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    const change = (): void => setScheme((count) => count + 1);
    query.addEventListener('change', change);
    return () => query.removeEventListener('change', change);
  }, []);
  useEffect(() => {
    const element = place.current;
    if (element === null) return undefined;
    const drawn = new uPlot(optionsOf(lines, element.clientWidth, onIndex), dataOf(lines), element);
    plot.current = drawn;
    const observer = new ResizeObserver(() => drawn.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      drawn.destroy();
      plot.current = null;
    };
    // The data comes by `setData` below. Here only what needs a new drawing counts.
  }, [names, scheme]);
  useEffect(() => plot.current?.setData(dataOf(lines)), [lines]);
  return place;
};

const Sentence = ({ lines, unit, isCount }: Pick<Props, 'lines' | 'unit' | 'isCount'>) => (
  <p class="quiet">
    {lines.map(({ name, line }) => {
      const summary = summaryOf(line);
      if (summary === null) return `${name}: no values. `;
      const { total, largest, largestAt } = summary;
      if (isCount === true && total === 0) return `${name}: none in this hour. `;
      const sum = isCount === true ? `${numberText(total)} in this hour, ` : '';
      return `${name}: ${sum}at most ${numberText(largest)} ${unit} at ${CLOCK.format(largestAt * 1_000)}. `;
    })}
  </p>
);

/** Every fifth minute is enough for a table. */
const TABLE_STEP = 30;

const ValuesTable = ({ title, unit, lines }: Pick<Props, 'title' | 'unit' | 'lines'>) => {
  const times = lines[0]?.line.times ?? [];
  const rows = times.map((time, index) => ({ time, index })).filter(({ index }) => (times.length - 1 - index) % TABLE_STEP === 0);
  return (
    <Table
      caption={`${title}, ${unit}, every five minutes`}
      isCompact
      kind="values"
      rows={rows}
      keyOf={({ time }) => String(time)}
      columns={[
        { head: 'Time', isHead: true, cell: ({ time }) => CLOCK.format(time * 1_000) },
        ...lines.map(({ name, line }) => ({
          head: name,
          isNumber: true,
          cell: ({ index }: { readonly index: number }) => valueText(line, index),
        })),
      ]}
    />
  );
};

/** A chart of the last hour, with a sentence and a table that say the same. */
export const Chart = ({ title, meaning, unit, lines, isCount }: Props) => {
  const [index, setIndex] = useState<number | null>(null);
  const [isOpen, setOpen] = useState(false);
  const place = useDrawing(lines, setIndex);
  const times = lines[0]?.line.times ?? [];
  const shown = index ?? times.length - 1;
  const time = times[shown];
  return (
    <figure class="chart">
      <figcaption>
        <h3>{title}</h3>
        <span class="readout">
          {lines.map(({ name, line, color }) => (
            <span key={name} class={color === '--bad' ? 'bad' : 'accent'}>
              {name} <strong>{valueText(line, shown)}</strong>
            </span>
          ))}
          <span class="quiet">
            {unit}
            {time === undefined ? '' : index === null ? ', now' : `, ${EXACT.format(time * 1_000)}`}
          </span>
        </span>
      </figcaption>
      <div ref={place} class="canvas" aria-hidden="true" />
      <Sentence lines={lines} unit={unit} {...(isCount !== undefined && { isCount })} />
      <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
        <summary>
          What this is<span class="unseen">: {title}</span>, and a table
        </summary>
        <p>{meaning}</p>
        {isOpen && <ValuesTable title={title} unit={unit} lines={lines} />}
      </details>
    </figure>
  );
};
