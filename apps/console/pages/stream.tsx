import { useEffect } from 'preact/hooks';
import { withQuery } from '../api.js';
import { eventWords, statesPath } from '../event-words.js';
import { appended } from '../live.js';
import { AsItWas } from '../parts/as-it-was.js';
import { EventChanges } from '../parts/changes.js';
import { Command } from '../parts/command.js';
import { ActorLink, RequestLink, StreamLink } from '../parts/links.js';
import { Page } from '../parts/page.js';
import { Pager } from '../parts/pager.js';
import { kindOfProblem, ProblemNote } from '../parts/problem.js';
import { State } from '../parts/state.js';
import { Time } from '../parts/time.js';
import { hrefOf } from '../routes.js';
import type { AuditedEvent, Problem, StreamHistory } from '../shapes.js';
import { lengthWords } from '../time-words.js';
import { useRead, type Reading } from '../use-read.js';

const LIMIT = 100;
/** The kinds of problems of a broken stream (contract 23.6). */
const BROKEN: readonly (string | undefined)[] = ['history-altered', 'history-unreadable'];

/** Reads again when an event of the stream, or of a payment of the order, arrives. */
const useFollowing = (stream: string, { data, readAgain }: Reading<StreamHistory>): void => {
  useEffect(
    () =>
      appended.subscribe(() => {
        const shown = new Set(data?.data.map(({ id }) => id));
        const streams = new Set([stream, ...(data?.data.map((event) => event.stream) ?? [])]);
        const [first] = data?.data ?? [];
        const isNew = (event: { readonly id: string; readonly stream: string }): boolean =>
          streams.has(event.stream) && !shown.has(event.id) && first !== undefined && event.id > first.id;
        if (data !== undefined && data.pagination.page === data.pagination.totalPages && appended.get().events.some(isNew)) readAgain();
      }),
    [stream, data],
  );
};

type EntryProps = { readonly event: AuditedEvent; readonly before: AuditedEvent | undefined; readonly of: string };

/** How long after the event before. Clocks of processes differ a little, so it can be less than nothing. */
const Later = ({ event, before }: Omit<EntryProps, 'of'>) => {
  if (before === undefined) return null;
  const milliseconds = Math.max(0, Date.parse(event.time) - Date.parse(before.time));
  return <>, {milliseconds < 1_000 ? `${milliseconds} ms` : lengthWords(milliseconds / 1_000)} later</>;
};

const Entry = ({ event, before, of }: EntryProps) => {
  const { type, stream, revision, time, actor, actorName, tenant, requestId, correlationId, skippedBy = [], changes = [] } = event;
  return (
    <li>
      <article class="event">
        <h3>
          {eventWords(type)} <span class="quiet">event {revision}</span>
          {stream !== of && (
            <span class="quiet">
              {' '}
              of <StreamLink stream={stream} tenant={tenant} />
            </span>
          )}
        </h3>
        <p class="quiet">
          <Time at={time} isExact />
          <Later event={event} before={before} />, by <ActorLink actor={actor} actorName={actorName} />.{' '}
          <RequestLink id={requestId ?? correlationId} tenant={tenant}>
            Causes and consequences
          </RequestLink>
        </p>
        {skippedBy.length > 0 && (
          <p>
            <State tone="warning">skipped</State> An operator lets {skippedBy.join(', ')} leave it out.
          </p>
        )}
        <EventChanges changes={changes} caption={`What event ${revision}, ${eventWords(type)}, changed`} />
      </article>
    </li>
  );
};

const BrokenHelp = () => (
  <div>
    <p>
      If the stored history was altered: restore a backup from before the change. If a newer version of the service wrote it: start that
      version. <Command text="petstore doctor" /> says which, and names the section of the runbook.
    </p>
    <p>
      <a href={hrefOf('audit')}>What the audits have found</a>
    </p>
  </div>
);

const StoryProblem = ({ problem }: { readonly problem: Problem }) => (
  <ProblemNote problem={problem}>{BROKEN.includes(kindOfProblem(problem)) && <BrokenHelp />}</ProblemNote>
);

type Props = { readonly stream: string; readonly query: Readonly<Record<string, string>> };

/** What happened to this resource, who changed what, and how was it before? */
export const StreamPage = ({ stream, query }: Props) => {
  const { tenant } = query;
  const options = tenant === undefined ? {} : { tenant };
  const path = withQuery(`v1/audit/streams/${encodeURIComponent(stream)}`, { page: query['page'], limit: LIMIT });
  const reading = useRead<StreamHistory>(path, options);
  useFollowing(stream, reading);
  const { data, problem, isReading, readAgain } = reading;
  const category = stream.slice(0, stream.indexOf('-'));
  return (
    <Page title={`Story of ${category === '' ? 'a stream' : `${/^[aeiou]/.test(category) ? 'an' : 'a'} ${category}`}`}>
      <p class="identity">
        <code>{stream}</code>
        {tenant !== undefined && (
          <>
            {' '}
            of the tenant <code>{tenant}</code>
          </>
        )}
      </p>
      {problem && <StoryProblem problem={problem} />}
      {data === undefined && isReading && <p class="quiet">Reading…</p>}
      {data !== undefined && (
        <div class="story">
          <section aria-labelledby="events">
            <div class="head-row">
              <h2 id="events">
                What happened <span class="count">{data.pagination.totalItems}</span>
              </h2>
              <button type="button" onClick={readAgain}>
                Read again
              </button>
            </div>
            <ol class="timeline">
              {data.data.map((event, index) => (
                <Entry key={event.id} event={event} before={data.data[index - 1]} of={stream} />
              ))}
            </ol>
            <Pager pagination={data.pagination} page="streams" id={stream} query={query} label="Pages of the story" />
          </section>
          {statesPath(stream) !== null && <AsItWas key={data.data.at(-1)?.id ?? ''} stream={stream} tenant={tenant} events={data.data} />}
        </div>
      )}
    </Page>
  );
};
