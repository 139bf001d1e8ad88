import { useState } from 'preact/hooks';
import { appended, liveStatus } from '../live.js';
import { EventTable } from '../parts/event-table.js';
import { FilterForm, FILTERS, type Filter } from '../parts/filter-form.js';
import { Page } from '../parts/page.js';
import { ProblemNote } from '../parts/problem.js';
import { SearchField } from '../parts/search-field.js';
import { hrefOf } from '../routes.js';
import type { AppendedEvent, AuditedEvent } from '../shapes.js';
import { useStore } from '../store.js';
import { ALL, tenant } from '../tenant.js';
import { useLogPages } from '../use-log-pages.js';

/** Events of the service about itself: sign-ins, and each read by an auditor, also by this page. */
const isSecurity = ({ stream }: AppendedEvent): boolean => stream.startsWith('security-');

const Live = () => {
  const { events: recent, hasGaps } = useStore(appended);
  const status = useStore(liveStatus);
  const hasTenants = useStore(tenant) === ALL;
  const [paused, setPaused] = useState<readonly AppendedEvent[] | null>(null);
  const [hasSecurity, setSecurity] = useState(false);
  const visible = (events: readonly AppendedEvent[]) => events.filter((event) => hasSecurity || !isSecurity(event));
  const events = visible(paused ?? recent);
  const waiting = paused === null ? 0 : visible(recent).findIndex(({ id }) => id === events[0]?.id);
  return (
    <section aria-labelledby="newest">
      <div class="head-row">
        <h2 id="newest">Newest events</h2>
        <div class="tools">
          <label>
            <input type="checkbox" checked={hasSecurity} onChange={({ currentTarget }) => setSecurity(currentTarget.checked)} />
            with security events
          </label>
          <button type="button" aria-pressed={paused !== null} onClick={() => setPaused(paused === null ? recent : null)}>
            {paused === null ? 'Pause' : 'Go on'}
          </button>
        </div>
      </div>
      <p class="quiet">
        {paused !== null
          ? `Paused. ${waiting > 0 ? `${waiting} new ${waiting === 1 ? 'event waits' : 'events wait'}.` : ''}`
          : status === 'live'
            ? 'New events appear at the top.'
            : 'New events appear when the connection is back.'}
        {hasGaps && ' Some were left out because there were too many at once: filter the log to see them.'}
      </p>
      {events.length === 0 ? (
        <p>No event has come yet. Filter the log, or find a stream, to see what was before.</p>
      ) : (
        <EventTable events={events} caption="Newest events, newest first" hasTenants={hasTenants} />
      )}
    </section>
  );
};

const Filtered = ({ filter }: { readonly filter: Filter }) => {
  const isAll = useStore(tenant) === ALL;
  const { events, isSearching, isComplete, problem, searchFurther } = useLogPages<AuditedEvent>('v1/audit/events', {
    ...filter,
    ...(isAll && { tenant: ALL }),
  });
  return (
    <section aria-labelledby="matching">
      <h2 id="matching">Matching events</h2>
      {problem && <ProblemNote problem={problem} />}
      <p role="status">
        {isSearching
          ? `Searching the log… ${events.length} found so far.`
          : isComplete
            ? `${events.length} found, oldest first.`
            : `The first ${events.length}, oldest first.`}{' '}
        {!isSearching && isComplete && 'The end of the log, or of the time, was reached. '}
        <a href={hrefOf('streams')}>Back to the newest events</a>
      </p>
      {events.length > 0 && <EventTable events={events} caption="Matching events, oldest first" hasTenants={isAll} />}
      {!isSearching && !isComplete && !problem && (
        <button type="button" onClick={searchFurther}>
          Search further
        </button>
      )}
    </section>
  );
};

/** What is happening, and where is what I look for? */
export const StreamsPage = ({ query }: { readonly query: Readonly<Record<string, string>> }) => {
  const filter: Filter = Object.fromEntries(FILTERS.flatMap((name) => (query[name] ? [[name, query[name]]] : [])));
  const isFiltered = Object.keys(filter).length > 0;
  return (
    <Page
      title="Streams"
      lead="Every change is an event in an append-only log. The events of one order, pet or other resource are its stream: its whole story, from the first event to the last."
    >
      <SearchField />
      <details class="filter-box" open={isFiltered}>
        <summary>Filter the log</summary>
        <FilterForm filter={filter} />
      </details>
      {isFiltered ? <Filtered filter={filter} /> : <Live />}
    </Page>
  );
};
