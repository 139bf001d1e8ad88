import { fieldWords } from '../event-words.js';
import { isWithheld, valueText } from '../differences.js';
import type { Change } from '../shapes.js';
import { Table } from './table.js';

const TIME = /^(\d{4}-\d{2}-\d{2}T)(\d{2}:\d{2}:\d{2}.*)$/;

/** A text, which is broken in two lines only where that is readable. */
const Text = ({ text }: { readonly text: string }) => {
  const [, day, clock] = TIME.exec(text) ?? [];
  if (day === undefined) return <>{text}</>;
  return (
    <>
      {day}
      <wbr />
      {clock}
    </>
  );
};

/** A value of a field. Text from clients is only ever text. */
export const Value = ({ value, isQuiet = false }: { readonly value: unknown; readonly isQuiet?: boolean }) => {
  if (value === undefined) return <span class="quiet">–</span>;
  const isWord = value === null || isWithheld(value) || value === '' || (Array.isArray(value) && value.length === 0);
  return (
    <span class={isWord || isQuiet ? 'quiet' : 'value'}>
      <Text text={valueText(value)} />
    </span>
  );
};

type Props = { readonly changes: readonly Change[]; readonly caption: string; readonly heads?: readonly [string, string] };

/** This field says only when the event happened, so it comes last. */
const LAST = 'updatedAt';

/** A table of changes: each field with its value before and after. */
export const Changes = ({ changes, caption, heads: [before, after] = ['From', 'To'] }: Props) => (
  <Table
    caption={caption}
    isCaptionHidden
    isCompact
    kind="changes differing"
    rows={changes.toSorted((one, other) => Number(one.field === LAST) - Number(other.field === LAST))}
    keyOf={({ field }) => field}
    columns={[
      { head: 'Field', isHead: true, cell: ({ field }) => <span title={field}>{fieldWords(field)}</span> },
      { head: before, cell: (change) => <Value value={change.from} isQuiet={change.field === LAST} /> },
      { head: after, cell: (change) => <Value value={change.to} isQuiet={change.field === LAST} /> },
    ]}
  />
);

/** The changes of one event. Those of a new resource are many and all new, so they are folded. */
export const EventChanges = ({ changes, caption }: { readonly changes: readonly Change[]; readonly caption: string }) => {
  if (changes.length === 0) return <p class="quiet">It changed no field that the interface shows.</p>;
  const isNew = changes.every((change) => !('from' in change)) && changes.length > 4;
  if (!isNew) return <Changes changes={changes} caption={caption} />;
  return (
    <details>
      <summary>{changes.length} fields set</summary>
      <Changes changes={changes} caption={caption} />
    </details>
  );
};

/** How many changes stand in one line of a list. */
const MAX_IN_LINE = 6;

/** The data of an event that changes no resource, in one line. */
export const DataLine = ({ data }: { readonly data: unknown }) => (
  <ul class="change-lines">
    {Object.entries<unknown>(typeof data === 'object' && data !== null ? { ...data } : {}).map(([field, value]) => (
      <li key={field}>
        <span class="quiet">{fieldWords(field)}</span> <Value value={value} />
      </li>
    ))}
  </ul>
);

/** The changes of an event in a list of events: short, and without the time that the list shows anyway. */
export const ChangeLine = ({ changes }: { readonly changes: readonly Change[] }) => {
  const shown = changes.filter(({ field }) => field !== LAST);
  const left = shown.length - MAX_IN_LINE;
  return (
    <ul class="change-lines">
      {shown.slice(0, MAX_IN_LINE).map(({ field, from, to }) => (
        <li key={field}>
          <span class="quiet">{fieldWords(field)}</span> <Value value={from} /> <span aria-hidden="true">→</span>
          <span class="unseen">to</span>{' '}
          <strong>
            <Value value={to} />
          </strong>
        </li>
      ))}
      {left > 0 && <li class="quiet">and {left} more</li>}
    </ul>
  );
};
