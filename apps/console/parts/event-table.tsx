import { eventWords, hasStory } from '../event-words.js';
import type { AppendedEvent, AuditedEvent } from '../shapes.js';
import { ChangeLine, DataLine } from './changes.js';
import { ActorLink, RequestLink, StreamLink } from './links.js';
import { Table } from './table.js';
import { Time } from './time.js';

type Props = { readonly events: readonly (AppendedEvent | AuditedEvent)[]; readonly caption: string; readonly hasTenants: boolean };

const changesOf = (event: AppendedEvent | AuditedEvent) => ('changes' in event ? (event.changes ?? []) : []);

/** Events of the log, one in a row. */
export const EventTable = ({ events, caption, hasTenants }: Props) => (
  <Table
    caption={caption}
    isCaptionHidden
    kind="events-list"
    rows={events}
    keyOf={({ id }) => id}
    more={(event) => {
      const changes = changesOf(event);
      if (changes.length > 0) return <ChangeLine changes={changes} />;
      // Only what has no story of its own, such as what operators do, says here all that there is to say.
      return 'data' in event && !hasStory(event.stream) && <DataLine data={event.data} />;
    }}
    columns={[
      { head: 'Time', cell: ({ time }) => <Time at={time} /> },
      { head: 'What happened', isHead: true, cell: ({ type }) => <span title={type}>{eventWords(type)}</span> },
      {
        head: 'Stream',
        cell: ({ stream, revision, tenant }) => (
          <>
            <StreamLink stream={stream} tenant={tenant} /> <span class="quiet nowrap">event {revision}</span>
          </>
        ),
      },
      { head: 'By', cell: ({ actor, ...event }) => <ActorLink actor={actor} actorName={event.actorName} /> },
      {
        head: 'Request',
        cell: ({ requestId, tenant }) =>
          requestId === undefined ? <span class="quiet">–</span> : <RequestLink id={requestId} tenant={tenant} />,
      },
      ...(hasTenants ? [{ head: 'Tenant', cell: ({ tenant }: AppendedEvent) => <code title={tenant}>{tenant.slice(0, 8)}</code> }] : []),
    ]}
  />
);
