import { eventWords } from '../event-words.js';
import { retryAction, skipAction, unskipAction } from '../parts/parked-actions.js';
import { ActionButton } from '../parts/action.js';
import { Command } from '../parts/command.js';
import { StreamLink } from '../parts/links.js';
import { Page } from '../parts/page.js';
import { Read } from '../parts/problem.js';
import { State } from '../parts/state.js';
import { Table } from '../parts/table.js';
import { Since, Time } from '../parts/time.js';
import type { ParkedItem, ParkedList, SkippedEvent } from '../shapes.js';
import { useRead } from '../use-read.js';

const EVERY = 10_000;

/** What a kind of parked work means (contract 43.2). */
const KINDS: Readonly<Record<string, string>> = {
  stream: 'Later events of these streams wait for the one that failed.',
  key: 'Later messages of these keys wait for the one that failed.',
  delivery: 'No further attempt follows.',
};

const ParkedSince = ({ item: { parkedAt, eventTime } }: { readonly item: ParkedItem }) => {
  if (parkedAt !== undefined) return <Since at={parkedAt} />;
  return eventTime === undefined ? <>unknown</> : <Time at={eventTime} />;
};

/** Whether an event can be left out: one of a reader or consumer, and not the first of its stream (contract 43.8). */
const canSkip = (kind: string, revision: number): boolean => kind !== 'delivery' && revision > 0;

const Cause = ({ cause: { kind, name, cause, count, items } }: { readonly cause: ParkedList['causes'][number] }) => {
  const title = `${name}: ${cause}`;
  return (
    <section aria-label={title}>
      <h2>
        {name} <span class="quiet">{cause}</span> <span class="count">{count}</span>
      </h2>
      <p>{KINDS[kind] ?? ''}</p>
      <Table
        caption={`Parked by ${name} because of ${cause}`}
        isCaptionHidden
        rows={items}
        keyOf={({ stream, revision, deliveryId }) => `${stream} ${revision} ${deliveryId ?? ''}`}
        columns={[
          { head: 'Stream', isHead: true, cell: ({ stream }) => <StreamLink stream={stream} /> },
          {
            head: 'Event',
            cell: ({ eventType, revision }) =>
              eventType === undefined ? `event ${revision}` : `${eventWords(eventType)} (event ${revision})`,
          },
          { head: kind === 'stream' ? 'Time of the event' : 'Since', cell: (item) => <ParkedSince item={item} /> },
          { head: 'Error', cell: ({ error }) => error },
          ...(kind === 'delivery'
            ? [
                {
                  head: 'To',
                  cell: ({ webhookId, orderId }: ParkedItem) =>
                    webhookId === undefined ? (
                      `the callback of order ${orderId ?? 'unknown'}`
                    ) : (
                      <StreamLink stream={`webhook-${webhookId}`} />
                    ),
                },
              ]
            : []),
          {
            head: 'Actions',
            cell: ({ stream, revision }: ParkedItem) => (
              <div class="acts">
                <ActionButton action={() => retryAction({ name, stream }, `${stream} of ${name}`)} label={`Retry ${stream} of ${name}`}>
                  Retry
                </ActionButton>
                {canSkip(kind, revision) && (
                  <ActionButton action={() => skipAction({ name, stream, revision })} label={`Skip event ${revision} of ${stream}`}>
                    Skip
                  </ActionButton>
                )}
              </div>
            ),
          },
        ]}
      />
      {items.length < count && <p class="quiet">{count - items.length} more are not shown.</p>}
      <p>
        <ActionButton action={() => retryAction({ cause }, `all with the cause ${cause}`)} label={`Retry all with the cause ${cause}`}>
          Retry all with this cause
        </ActionButton>{' '}
        {kind !== 'delivery' && items.some(({ revision }) => revision === 0) && (
          <span class="quiet">The first event of a stream cannot be skipped.</span>
        )}
      </p>
    </section>
  );
};

const Skipped = ({ events }: { readonly events: readonly SkippedEvent[] }) => (
  <section aria-labelledby="skipped">
    <h2 id="skipped">Skipped events</h2>
    {events.length === 0 ? (
      <p class="quiet">No event is skipped.</p>
    ) : (
      <>
        <p>An operator lets a read model or consumer leave these events out. They stay in the log.</p>
        <Table
          caption="Skipped events"
          isCaptionHidden
          rows={events}
          keyOf={({ name, stream, revision }) => `${name} ${stream} ${revision}`}
          columns={[
            { head: 'Left out by', isHead: true, cell: ({ name }) => name },
            { head: 'Stream', cell: ({ stream }) => <StreamLink stream={stream} /> },
            { head: 'Event', isNumber: true, cell: ({ revision }) => revision },
            { head: 'Since', cell: ({ since }) => <Since at={since} /> },
            { head: 'Who', cell: ({ by }) => by },
            { head: 'Why', cell: ({ reason }) => reason },
            {
              head: 'Actions',
              cell: (event) => (
                <ActionButton action={() => unskipAction(event)} label={`Unskip event ${event.revision} of ${event.stream}`}>
                  Unskip
                </ActionButton>
              ),
            },
          ]}
        />
      </>
    )}
  </section>
);

/** What could not be handled and waits, by cause, and what is left out. */
export const ParkedPage = () => {
  const parked = useRead<ParkedList>('v1/ops/parked', { every: EVERY });
  const skipped = useRead<{ readonly data: readonly SkippedEvent[] }>('v1/ops/parked/skipped', { every: EVERY });
  return (
    <Page
      title="Parked"
      lead="A reader that cannot handle an event parks its stream: the event and all later ones of the stream wait, and all other streams go on. What is parked is retried each minute and at each start."
    >
      <Read reading={parked}>
        {({ count, isComplete, causes }) =>
          count === 0 ? (
            <p class="all-quiet">
              <State tone="good">Nothing is parked</State> Every event was handled.
            </p>
          ) : (
            <>
              <p>
                {count} in all{isComplete ? '.' : '. Of the deliveries only the 1,000 oldest are counted.'} Repair the cause first, then
                retry.
              </p>
              {causes.length > 1 && (
                <p>
                  <ActionButton action={() => retryAction({ all: true }, 'everything')}>Retry everything</ActionButton>
                </p>
              )}
              {causes.map((cause) => (
                <Cause key={`${cause.name} ${cause.cause}`} cause={cause} />
              ))}
            </>
          )
        }
      </Read>
      <Read reading={skipped}>{({ data }) => <Skipped events={data} />}</Read>
      <p class="quiet">
        The same in a terminal: <Command text="petstore parked" /> <Command text="petstore retry --help" />
      </p>
    </Page>
  );
};
