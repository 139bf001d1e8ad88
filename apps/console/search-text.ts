import { hasStory } from './event-words.js';

/** What was typed in the search field. */
export type Searched =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'stream'; readonly stream: string }
  /** Events from this time on, and before `to`. */
  | { readonly kind: 'time'; readonly from: string; readonly to: string }
  /** An id, or an exact name: only the service knows of what. */
  | { readonly kind: 'text'; readonly text: string };

const UUID = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}';
const STREAM = new RegExp(`^[a-z]+-${UUID}$`);
const TIME = /^(?:(\d{4}-\d{2}-\d{2})[T ]?)?(?:(\d{1,2}:\d{2})(:\d{2}(?:\.\d+)?)?)?(Z|[+-]\d{2}:\d{2})?$/i;
const [SECOND, MINUTE, DAY] = [1_000, 60_000, 86_400_000];

/** Returns the span that a time means, as far as it is given: a day, a minute or a second. Without a zone, it is local. */
const timeOf = (text: string, now: Date): Searched | null => {
  const [, date, minute, second = '', zone = ''] = TIME.exec(text) ?? [];
  if (date === undefined && minute === undefined) return null;
  const local = (value: number): string => String(value).padStart(2, '0');
  const day = date ?? `${now.getFullYear()}-${local(now.getMonth() + 1)}-${local(now.getDate())}`;
  const begin = Date.parse(`${day}T${(minute ?? '00:00').padStart(5, '0')}${second || ':00'}${zone.toUpperCase()}`);
  if (Number.isNaN(begin)) return null;
  const length = minute === undefined ? DAY : second === '' ? MINUTE : SECOND;
  return { kind: 'time', from: new Date(begin).toISOString(), to: new Date(begin + length).toISOString() };
};

/** Recognises what was typed: the name of a stream, a time, or anything else. */
export const recognise = (typed: string, now: Date): Searched => {
  const text = typed.trim();
  if (text === '') return { kind: 'nothing' };
  const stream = text.toLowerCase();
  if (STREAM.test(stream) && hasStory(stream)) return { kind: 'stream', stream };
  return timeOf(text, now) ?? { kind: 'text', text };
};
