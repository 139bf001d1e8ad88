import pinoPretty from 'pino-pretty';
import type { Clock } from '../../../libs/eventsourcing/ports/clock.port.js';
import { limitPerSecond } from '../../api/http/pipeline/request-log.js';

/** Where log lines go. */
export type Lines = { write(line: string): void };

/** The maximum number of lines about requests in a second. Further requests are only counted (contract 25.5). */
const MAX_REQUESTS_PER_SECOND = 10;

/** The maximum number of characters of a field. Longer ones, such as checkpoints, are for programs, which read the JSON lines. */
const MAX_FIELD_LENGTH = 160;

/** Matches characters that a terminal may obey, or that change the order of the text around them. */
const CONTROL = /[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g;

type LogLine = Readonly<Record<string, unknown>>;

/**
 * Writes log lines as short texts for a reader at a terminal. Gets JSON lines, in which secrets are redacted already. Lines may
 * contain text of clients, whose control characters are escaped.
 */
export const createTerminalLines = (lines: Lines, { hasColors, clock }: { hasColors: boolean; clock: Pick<Clock, 'after'> }): Lines => {
  const format = pinoPretty.prettyFactory({
    colorize: hasColors,
    singleLine: true,
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss',
  });
  let latest: { readonly level?: unknown; readonly time?: unknown } = {};
  const mayWrite = limitPerSecond(MAX_REQUESTS_PER_SECOND, clock, (count) =>
    lines.write(format({ level: latest.level, time: latest.time, msg: `${count} more requests` })),
  );
  return {
    write(json) {
      const line = JSON.parse(json, escapeText) as LogLine;
      if (line['msg'] !== 'request') return lines.write(format(Object.fromEntries(Object.entries(line).map(shortField))));
      latest = line;
      if (mayWrite()) lines.write(format({ level: latest.level, time: latest.time, msg: requestText(line) }));
    },
  };
};

/** Escapes control characters in a text. A stack keeps its line breaks. */
const escapeText = (key: string, value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  return value.replaceAll(CONTROL, (character) =>
    key === 'stack' && character === '\n' ? character : `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
};

/** Shortens a field. Errors stay complete, because a developer needs their stack. */
const shortField = ([name, value]: readonly [string, unknown]): readonly [string, unknown] => {
  if (name === 'err' || name === 'msg' || JSON.stringify(value).length <= MAX_FIELD_LENGTH) return [name, value];
  return [name, typeof value === 'string' ? `${value.slice(0, MAX_FIELD_LENGTH)}…` : '…'];
};

/** Returns what a reader needs to know of a request. */
const requestText = ({ method, path, status, milliseconds, actor }: LogLine): string =>
  [method, path, status, milliseconds, 'ms', actor].filter((part) => typeof part === 'string' || typeof part === 'number').join(' ');
