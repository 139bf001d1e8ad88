import { hrefOf } from '../routes.js';
import { fieldText } from './field-text.js';

/** What the log can be filtered by, as the members of an address. */
export const FILTERS = ['type', 'actor', 'changed', 'from', 'to'] as const;
export type Filter = Readonly<Partial<Record<(typeof FILTERS)[number], string>>>;

/** Returns a time as a field of the form has it: local, and without a zone. */
const fieldTime = (time: string | undefined): string => {
  if (time === undefined) return '';
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return '';
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 19);
};

const LABELS = {
  type: { label: 'Type', hint: 'OrderPlaced' },
  actor: { label: 'By', hint: 'staff' },
  changed: { label: 'Changed field', hint: 'price' },
} as const;

/** What people look for most, also to show what a filter can be. */
const EXAMPLES: readonly (readonly [string, Filter])[] = [
  ['changed prices', { changed: 'price' }],
  ['cancelled orders', { type: 'OrderCancelled' }],
  ['failed payments', { type: 'PaymentFailed' }],
  ['retries by operators', { type: 'ParkedRetried' }],
  ['pauses by operators', { type: 'ProjectionPaused' }],
  ['rebuilds by operators', { type: 'ProjectionRebuildStarted' }],
];

const filterOf = (form: HTMLFormElement): Filter => {
  const text = (name: string): string => fieldText(form, name);
  const time = (name: string): string => (text(name) === '' ? '' : new Date(text(name)).toISOString());
  return { type: text('type').replaceAll(' ', ''), actor: text('actor'), changed: text('changed'), from: time('from'), to: time('to') };
};

/** A form whose fields become the address, so that a search can be kept and sent to others. */
export const FilterForm = ({ filter }: { readonly filter: Filter }) => (
  <form
    class="filter"
    aria-label="Filter the events"
    // The fields take what the address says when it changes.
    key={JSON.stringify(filter)}
    onSubmit={(event) => {
      event.preventDefault();
      location.hash = hrefOf('streams', undefined, filterOf(event.currentTarget));
    }}
  >
    {(['type', 'actor', 'changed'] as const).map((name) => (
      <label key={name}>
        {LABELS[name].label}
        <input name={name} defaultValue={filter[name] ?? ''} placeholder={LABELS[name].hint} autocomplete="off" spellcheck={false} />
      </label>
    ))}
    {(['from', 'to'] as const).map((name) => (
      <label key={name}>
        {name === 'from' ? 'From' : 'To (not included)'}
        <input name={name} type="datetime-local" step="1" defaultValue={fieldTime(filter[name])} />
      </label>
    ))}
    <div class="tools">
      <button type="submit">Filter</button>
      {Object.values(filter).some(Boolean) && <a href={hrefOf('streams')}>Clear</a>}
    </div>
    <p class="quiet">
      For example:{' '}
      {EXAMPLES.map(([name, example]) => (
        <a key={name} class="example" href={hrefOf('streams', undefined, example)}>
          {name}
        </a>
      ))}
    </p>
  </form>
);
