import { serviceState } from '../live.js';
import { numberText } from '../parts/numbers.js';
import { Page } from '../parts/page.js';
import { processName } from '../parts/processes.js';
import { State } from '../parts/state.js';
import { Table } from '../parts/table.js';
import { hrefOf } from '../routes.js';
import type { ServiceState } from '../shapes.js';
import { useStore } from '../store.js';

/** What each consumer does. */
const MEANINGS: Readonly<Record<string, string>> = {
  relay: 'publishes events to the topics',
  processes: 'reacts to events with the next step: a payment that succeeded approves its order',
  announcements: 'creates the deliveries to webhook endpoints and order callbacks',
};

type Row = { readonly name: string; readonly process: string; readonly behind: number | null; readonly parked: number };

const rowsOf = ({ processes }: ServiceState): readonly Row[] =>
  processes
    .flatMap((process) =>
      Object.entries(process.consumers ?? {}).map(([name, { behind, parked }]) => ({
        name,
        process: processName(process),
        behind,
        parked,
      })),
    )
    .toSorted((one, other) => one.name.localeCompare(other.name) || one.process.localeCompare(other.process));

const List = ({ state }: { readonly state: ServiceState }) => {
  const rows = rowsOf(state);
  const silent = state.processes.filter(({ consumers }) => consumers === null).map(processName);
  return (
    <>
      {rows.length === 0 ? (
        <p>No process that reports runs a consumer. Start a worker, or wait some seconds.</p>
      ) : (
        <Table
          caption="Consumers by process"
          isCaptionHidden
          rows={rows}
          keyOf={({ name, process }) => `${name} ${process}`}
          columns={[
            { head: 'Consumer', isHead: true, cell: ({ name }) => name },
            { head: 'What it does', cell: ({ name }) => <span class="quiet">{MEANINGS[name] ?? '–'}</span> },
            { head: 'Process', cell: ({ process }) => <code>{process}</code> },
            {
              head: 'Behind',
              isNumber: true,
              cell: ({ behind }) =>
                behind === null ? 'unknown' : behind === 0 ? 'nothing' : `${numberText(behind)} ${behind === 1 ? 'event' : 'events'}`,
            },
            {
              head: 'Parked',
              isNumber: true,
              cell: ({ parked }) => (parked === 0 ? <State tone="good">none</State> : <a href={hrefOf('parked')}>{parked} parked</a>),
            },
          ]}
        />
      )}
      {silent.length > 0 && <p class="quiet">Without consumers: {silent.join(', ')}.</p>}
    </>
  );
};

/** Does what reacts to events keep up? */
export const ConsumersPage = () => {
  const state = useStore(serviceState);
  return (
    <Page
      title="Consumers"
      lead="A consumer reacts to events after they are stored: the relay publishes them to topics, others take the next step of an order or create deliveries. Each begins again where it was when its process ends."
    >
      {state === null ? <p class="quiet">Waiting for the first report of the service…</p> : <List state={state} />}
    </Page>
  );
};
