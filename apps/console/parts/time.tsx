import { agoWords } from '../time-words.js';
import { useNow } from './clock.js';

const DAY = new Intl.DateTimeFormat(undefined, { year: 'numeric', month: 'short', day: 'numeric' });
const CLOCK = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23' });
const EXACT = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  fractionalSecondDigits: 3,
  hourCycle: 'h23',
});

const dateWords = (date: Date): string => (date.toDateString() === new Date().toDateString() ? '' : `${DAY.format(date)}, `);

type Props = { readonly at: string; readonly isExact?: boolean };

/** A time of the clock here, without the day if that is today. Exact: with the day and milliseconds. Its title is the time in UTC. */
export const Time = ({ at, isExact = false }: Props) => {
  const date = new Date(at);
  if (Number.isNaN(date.getTime())) return <>{at}</>;
  return (
    <time dateTime={at} title={at}>
      {isExact ? `${DAY.format(date)}, ` : dateWords(date)}
      {(isExact ? EXACT : CLOCK).format(date)}
    </time>
  );
};

/** How long ago a time was. It renders every few seconds. */
export const Ago = ({ at }: { readonly at: string }) => {
  const now = useNow();
  return (
    <time dateTime={at} title={at} class="nowrap">
      {agoWords(Date.parse(at), now)}
    </time>
  );
};

/** A time, and how long ago it was. */
export const Since = ({ at }: { readonly at: string }) => (
  <>
    <Time at={at} />{' '}
    <span class="quiet nowrap">
      (<Ago at={at} />)
    </span>
  </>
);
