import { useEffect, useRef } from 'preact/hooks';
import { Graph } from '../parts/graph.js';
import { Page } from '../parts/page.js';
import { ProblemNote } from '../parts/problem.js';
import { appended } from '../live.js';
import { timeOfId } from '../time-ordered-id.js';
import type { Consequence } from '../shapes.js';
import { useLogPages } from '../use-log-pages.js';

/** The clocks of machines differ by less than this, so the first event is not before the time in the id of its request. */
const CLOCKS = 60_000;

/** Searches again when an event of the request arrives. */
const useFollowing = (id: string, events: readonly Consequence[], readAgain: () => void): void => {
  const read = useRef(readAgain);
  read.current = readAgain;
  const known = useRef(new Set<string>());
  for (const event of events) known.current.add(event.id);
  useEffect(
    () =>
      appended.subscribe(() => {
        const fresh = appended.get().events.filter((event) => event.correlationId === id && !known.current.has(event.id));
        for (const event of fresh) known.current.add(event.id);
        if (fresh.length > 0) read.current();
      }),
    [id],
  );
};

type Props = { readonly id: string; readonly query: Readonly<Record<string, string>> };

/** What did this request cause, step by step? */
export const RequestPage = ({ id, query: { tenant, whole } }: Props) => {
  const time = timeOfId(id);
  // The log is long. An id of version 7 says where to begin; a client may have sent another one.
  const from = time === null || whole === 'yes' ? undefined : new Date(time.getTime() - CLOCKS).toISOString();
  const { events, isSearching, isComplete, problem, searchFurther, readAgain } = useLogPages<Consequence>(
    `v1/audit/requests/${encodeURIComponent(id)}`,
    { from },
    tenant === undefined ? {} : { tenant },
  );
  useFollowing(id, events, readAgain);
  const streams = new Set(events.map(({ stream }) => stream)).size;
  return (
    <Page
      title="What a request caused"
      lead="A request is stored as events, and events cause further ones. Each is shown below its cause, with what it changed, its message to other programs and its deliveries."
    >
      <p class="identity">
        Request <code>{id}</code>
      </p>
      {problem && <ProblemNote problem={problem} />}
      <p role="status">
        {isSearching && events.length === 0
          ? 'Searching the log…'
          : `${events.length} ${events.length === 1 ? 'event' : 'events'} in ${streams} ${streams === 1 ? 'stream' : 'streams'}.`}{' '}
        {!isSearching && isComplete && events.length === 0 && 'The log has no event of this request in this tenant.'}
      </p>
      {events.length > 0 && <Graph events={events} />}
      {!isSearching && !isComplete && !problem && (
        <button type="button" onClick={searchFurther}>
          Search further
        </button>
      )}
    </Page>
  );
};
