import { useMemo, useState } from 'preact/hooks';
import { lineOf, type Samples } from '../samples.js';
import type { Measure, Process } from '../shapes.js';
import { processName } from './processes.js';
import { Chart, type ChartLine } from './chart.js';

type ChooserProps = {
  readonly ids: readonly string[];
  readonly names: ReadonlyMap<string, string>;
  readonly left: ReadonlySet<string>;
  readonly onChange: (left: ReadonlySet<string>) => void;
};

/** Chooses the processes whose values the charts show. */
const ProcessChooser = ({ ids, names, left, onChange }: ChooserProps) => {
  const shown = ids.filter((id) => !left.has(id)).length;
  const toggle = (id: string): void => {
    const next = new Set(left);
    if (!next.delete(id)) next.add(id);
    onChange(next);
  };
  return (
    <details class="chooser">
      <summary>
        {shown} of {ids.length} {ids.length === 1 ? 'process' : 'processes'}
      </summary>
      <fieldset>
        <legend class="unseen">Processes in the charts</legend>
        {ids.map((id) => (
          <label key={id}>
            <input type="checkbox" checked={!left.has(id)} onChange={() => toggle(id)} />
            {names.get(id) ?? id}
          </label>
        ))}
        <button type="button" onClick={() => onChange(new Set())}>
          All
        </button>
      </fieldset>
    </details>
  );
};

type Props = { readonly samples: Samples; readonly processes: readonly Process[] };

/** Requests, times, lag and deliveries of the last hour. */
export const LoadCharts = ({ samples, processes }: Props) => {
  const names = new Map(processes.map((process) => [process.id, processName(process)]));
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const ids = [...samples.keys()].sort();
  const lines = useMemo(() => {
    const line = (name: string, measure: Measure, color: ChartLine['color'] = '--accent'): ChartLine => ({
      name,
      line: lineOf(samples, measure, (id) => !left.has(id)),
      color,
    });
    return {
      requests: [line('Responses', 'requests'), line('Errors', 'errors', '--bad')],
      slow: [line('99th percentile', 'slow')],
      lag: [line('Lag', 'lag')],
      deliveries: [line('Accepted', 'delivered'), line('Failed', 'failed', '--bad')],
    };
  }, [samples, left]);
  if (ids.length === 0) return null;
  return (
    <section aria-labelledby="load">
      <div class="head-row">
        <h2 id="load">The last hour</h2>
        <ProcessChooser ids={ids} names={names} left={left} onChange={setLeft} />
      </div>
      <div class="charts">
        <Chart
          title="Requests"
          unit="per 10 s"
          isCount
          lines={lines.requests}
          meaning="Responses of the chosen processes together, and those of them that were errors of the service (status 5xx)."
        />
        <Chart
          title="Slow requests"
          unit="ms"
          lines={lines.slow}
          meaning="99 of 100 requests were answered faster than this (the 99th percentile). Of several processes the slowest counts."
        />
        <Chart
          title="Lag"
          unit="s"
          lines={lines.lag}
          meaning="How old the oldest event is that some reader of the log has not handled yet. Of several readers the largest counts. It is near 0 while all keep up; Projections and Consumers say whose it is."
        />
        <Chart
          title="Deliveries"
          unit="attempts per 10 s"
          isCount
          lines={lines.deliveries}
          meaning="Attempts to send a webhook or an order callback: those that the receiver has accepted, and those that failed and are tried again."
        />
      </div>
    </section>
  );
};
