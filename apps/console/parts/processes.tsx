import { lineOf, summaryOf, type Samples } from '../samples.js';
import type { Measure, Process } from '../shapes.js';
import { serversOf } from '../verdict.js';
import { numberText } from './numbers.js';
import { Spark } from './spark.js';
import { State } from './state.js';
import { Table } from './table.js';
import { Ago, Since } from './time.js';

/** The name of a process, as the column of the owners of projections shows it. */
export const processName = ({ host, pid }: Pick<Process, 'host' | 'pid'>): string => `${host}/${pid}`;

/** The servers that the processes use, each once. */
export const Servers = ({ processes }: { readonly processes: readonly Process[] }) => {
  const servers = serversOf(processes);
  return (
    <section aria-labelledby="servers">
      <h2 id="servers">Servers</h2>
      {servers.length === 0 ? (
        <p class="quiet">None: this service keeps everything in one folder, so it needs no other server.</p>
      ) : (
        <Table
          caption="Servers that the processes use"
          isCaptionHidden
          rows={servers}
          keyOf={({ name }) => name}
          columns={[
            { head: 'Server', isHead: true, cell: ({ name }) => name },
            { head: 'State', cell: ({ isUp }) => <State tone={isUp ? 'good' : 'wrong'}>{isUp ? 'up' : 'down'}</State> },
            { head: 'Since', cell: ({ since }) => (since === undefined ? <span class="quiet">–</span> : <Since at={since} />) },
            {
              head: 'Seen by',
              cell: ({ users, down, waiting }) =>
                down.length === 0 ? (
                  `${users} ${users === 1 ? 'process' : 'processes'}`
                ) : (
                  <>
                    does not answer {down.join(', ')}: <code>{waiting}</code>
                  </>
                ),
            },
          ]}
        />
      )}
    </section>
  );
};

type UseProps = { readonly samples: Samples; readonly id: string; readonly measure: Measure; readonly unit: string };

const Use = ({ samples, id, measure, unit }: UseProps) => {
  const line = lineOf(samples, measure, (one) => one === id);
  const summary = summaryOf(line);
  return summary === null ? (
    <span class="quiet">–</span>
  ) : (
    <span class="use">
      <Spark line={line} /> {numberText(summary.last)} {unit}
    </span>
  );
};

type Props = { readonly processes: readonly Process[]; readonly samples: Samples };

/** Every process that reports. */
export const Processes = ({ processes, samples }: Props) => (
  <section aria-labelledby="processes">
    <h2 id="processes">Processes</h2>
    <Table
      caption="Processes that have reported within a minute"
      isCaptionHidden
      rows={processes}
      keyOf={({ id }) => id}
      columns={[
        { head: 'Process', isHead: true, cell: (process) => <code title={process.id}>{processName(process)}</code> },
        { head: 'Roles', cell: ({ roles }) => roles.join(', ') },
        { head: 'Version', cell: ({ version }) => version },
        { head: 'Runs since', cell: ({ startedAt }) => <Since at={startedAt} /> },
        { head: 'Last seen', cell: ({ seenAt }) => <Ago at={seenAt} /> },
        { head: 'CPU, of a core', isNumber: true, cell: ({ id }) => <Use samples={samples} id={id} measure="cpu" unit="%" /> },
        { head: 'Memory', isNumber: true, cell: ({ id }) => <Use samples={samples} id={id} measure="memory" unit="MiB" /> },
      ]}
    />
  </section>
);
