import { useState } from 'preact/hooks';
import { withQuery } from '../api.js';
import { differencesOf, stateFields } from '../differences.js';
import { eventWords, fieldWords, statesPath } from '../event-words.js';
import type { AuditedEvent, AuditedState } from '../shapes.js';
import { useRead } from '../use-read.js';
import { Changes, Value } from './changes.js';
import { ProblemNote } from './problem.js';
import { Table } from './table.js';
import { Time } from './time.js';

/** Milliseconds until a moment counts as chosen: each read of the past is an event in the log. */
const SETTLED = 400;

type Moment = { readonly kind: 'event'; readonly index: number } | { readonly kind: 'time'; readonly time: string };

/** Returns the query for a moment. Events of other streams in the story, such as payments, have a time only. */
const momentQuery = (stream: string, events: readonly AuditedEvent[], moment: Moment) => {
  if (moment.kind === 'time') return { asOf: moment.time };
  const event = events[moment.index];
  if (event === undefined) return {};
  return event.stream === stream ? { revision: event.revision } : { asOf: event.time };
};

type ChooserProps = { readonly events: readonly AuditedEvent[]; readonly moment: Moment; readonly onChange: (moment: Moment) => void };

const MomentChooser = ({ events, moment, onChange }: ChooserProps) => {
  const index = moment.kind === 'event' ? moment.index : -1;
  const event = events[index];
  return (
    <>
      <label class="slider">
        After event
        <input
          type="range"
          min={0}
          max={Math.max(0, events.length - 1)}
          value={index === -1 ? events.length - 1 : index}
          aria-valuetext={event ? `${eventWords(event.type)}, ${index + 1} of ${events.length}` : 'a time'}
          onInput={({ currentTarget }) => onChange({ kind: 'event', index: Number(currentTarget.value) })}
        />
        <output>
          {event ? (
            <>
              {index + 1} of {events.length}: {eventWords(event.type)}, <Time at={event.time} />
            </>
          ) : (
            'a time, below'
          )}
        </output>
      </label>
      <label class="moment">
        Or at
        <input
          type="datetime-local"
          step="1"
          onChange={({ currentTarget: { value } }) => value !== '' && onChange({ kind: 'time', time: new Date(value).toISOString() })}
        />
      </label>
    </>
  );
};

const Comparison = ({ then, now }: { readonly then: AuditedState; readonly now: AuditedState | undefined }) => {
  const differences = now === undefined ? [] : differencesOf(then.state, now.state);
  return (
    <>
      {now !== undefined && (
        <>
          <h3>Compared with now</h3>
          {differences.length === 0 ? (
            <p class="quiet">It is the same now.</p>
          ) : (
            <Changes changes={differences} caption="Differences between that state and now" heads={['Then', 'Now']} />
          )}
        </>
      )}
      <h3>The state then</h3>
      <Table
        caption={`The state after event ${then.revision}`}
        isCaptionHidden
        isCompact
        kind="changes"
        rows={stateFields(then.state)}
        keyOf={([field]) => field}
        columns={[
          { head: 'Field', isHead: true, cell: ([field]) => <span title={field}>{fieldWords(field)}</span> },
          { head: 'Value', cell: ([, value]) => <Value value={value} /> },
        ]}
      />
    </>
  );
};

type Props = { readonly stream: string; readonly tenant: string | undefined; readonly events: readonly AuditedEvent[] };

/** The resource as it was at an event or a time, and what differs from now. Begins before the last event, which shows what that changed. */
export const AsItWas = ({ stream, tenant, events }: Props) => {
  const [moment, setMoment] = useState<Moment>({ kind: 'event', index: Math.max(0, events.length - 2) });
  const path = `v1/audit/${statesPath(stream) ?? ''}`;
  const scope = tenant === undefined ? {} : { tenant };
  const then = useRead<AuditedState>(withQuery(path, momentQuery(stream, events, moment)), { ...scope, after: SETTLED });
  // An event that arrives changes the present, so its number is a part of the address.
  const now = useRead<AuditedState>(path, scope);
  return (
    <section aria-labelledby="as-it-was" class="as-it-was">
      <h2 id="as-it-was">As it was</h2>
      <MomentChooser events={events} moment={moment} onChange={setMoment} />
      {then.problem && <ProblemNote problem={then.problem} />}
      <div aria-busy={then.isReading}>{then.data && <Comparison then={then.data} now={now.data} />}</div>
      {now.problem?.status === 404 && <p class="quiet">It does not exist any more, so there is nothing to compare with.</p>}
    </section>
  );
};
