import type { AuditedChange, AuditedEvent, AuditedState, FieldDifference } from '../../../api/audit/audit.dto.js';
import { UUID } from '../../../api/http/patterns.js';
import type { Settings } from '../../../../libs/settings/settings.js';
import { ErrorResponse, type ServiceClient, type ServiceOptions } from '../../client/service-client.js';
import { parseTime } from '../../client/time-options.js';
import { clock } from '../../composition/clock.js';
import { CommandError } from '../../errors/command-error.js';
import { formatTable } from '../../terminal/table.js';
import { readAll } from './read-all.js';
import { runAsCaller } from './run-as-operator.js';

/** The options of `petstore history`. */
export type HistoryOptions = ServiceOptions & { readonly asOf?: string; readonly json?: boolean };

type Client = Pick<ServiceClient, 'request'>;

/**
 * Maps each category of streams to the name of its resources in the path `/v1/audit/{name}/{id}`. A request to this path returns
 * a past state. Null: the service has no past states of this category.
 */
const PATHS: Readonly<Record<string, string | null>> = {
  pet: 'pets',
  order: 'orders',
  payment: 'payments',
  adoption: 'adoptions',
  user: 'users',
  webhook: null,
};

/** The subject and scopes of the command's token. Without the scope ops, personal values are withheld (contract 35.10). */
const AUDITOR = { subject: 'history', scope: 'audit:read ops' };

/** Prints the history of a resource, or its state at a time. */
export const historyCommand = (settings: Settings, name: string, options: HistoryOptions): Promise<void> => {
  const asOf = options.asOf === undefined ? null : parseTime('--as-of', options.asOf, clock.now()).toISOString();
  const streams = streamsOf(name);
  return runAsCaller(settings, options, AUDITOR, async (client) => {
    const { stream, events } = await findHistory(client, streams, name);
    const result = asOf === null ? events : await readState(client, stream, asOf);
    const text = asOf === null ? formatEvents(events, 'OF') : formatState(result as AuditedState);
    process.stdout.write(options.json ? `${JSON.stringify(result)}\n` : text);
  });
};

/**
 * Returns the streams that the argument can mean: one for the name of a stream, and one of each category for a UUID. Throws
 * CommandError for any other text.
 */
const streamsOf = (name: string): readonly string[] => {
  const categories = Object.keys(PATHS);
  if (UUID.test(name)) return categories.map((category) => `${category}-${name.toLowerCase()}`);
  if (categories.some((category) => name.startsWith(`${category}-`))) return [name];
  throw new CommandError(`${name} is not the id of a resource; examples: a UUID, or order-<UUID>; kinds: ${categories.join(', ')}`);
};

/** Returns the first of the streams that exists, with its events. Rejects with CommandError if none exists. */
const findHistory = async (
  client: Client,
  streams: readonly string[],
  name: string,
): Promise<{ readonly stream: string; readonly events: readonly AuditedChange[] }> => {
  for (const stream of streams) {
    const events = await unlessMissing(readAll<AuditedChange>(client, `/v1/audit/streams/${encodeURIComponent(stream)}`));
    if (events) return { stream, events };
  }
  throw new CommandError(
    `no pet, order, payment, application, account or webhook endpoint has the id ${name}; --tenant chooses the tenant`,
  );
};

const readState = async (client: Client, stream: string, asOf: string): Promise<AuditedState> => {
  const category = stream.slice(0, stream.indexOf('-'));
  const path = PATHS[category];
  if (!path) throw new CommandError('--as-of: a webhook endpoint has no past states; its history shows what changed');
  const id = encodeURIComponent(stream.slice(category.length + 1));
  const found = await unlessMissing(client.request<AuditedState>('GET', `/v1/audit/${path}/${id}?asOf=${asOf}`));
  if (!found) throw new CommandError(`${stream} did not exist at ${asOf}`);
  return found.json;
};

/** Returns the result of a request, or null if the service responds with 404. */
const unlessMissing = <T>(request: Promise<T>): Promise<T | null> =>
  request.catch((error: unknown) => {
    if (error instanceof ErrorResponse && error.status === 404) return null;
    throw error;
  });

/**
 * Formats each event as a line of a table. The changes of an event follow its line. The column `OF` has the kind of resource, and
 * `STREAM` the whole name of the stream.
 */
export const formatEvents = (events: readonly AuditedEvent[], place: 'OF' | 'STREAM', hasTitles = true): string => {
  const rows = events.map(({ time, stream, revision, type, actor, actorName, requestId }) => [
    time,
    place === 'OF' ? stream.slice(0, stream.indexOf('-')) : stream,
    String(revision),
    type,
    actorName === undefined ? actor : `${actorName} (${actor})`,
    requestId ?? '-',
  ]);
  // The lookbehind splits after each line break, so that each line keeps its line break.
  const [titles, ...lines] = formatTable([['TIME', place, 'REVISION', 'EVENT', 'ACTOR', 'REQUEST'], ...rows]).split(/(?<=\n)/);
  return `${hasTitles ? titles : ''}${lines.map((line, index) => `${line}${(events[index]?.changes ?? []).map(formatChange).join('')}`).join('')}`;
};

const formatChange = ({ field, from, to }: FieldDifference): string => {
  if (from === undefined) return `    ${field}: ${formatValue(to)}\n`;
  return `    ${field}: ${formatValue(from)} → ${to === undefined ? 'gone' : formatValue(to)}\n`;
};

const formatState = ({ stream, revision, time, state }: AuditedState): string => {
  const rows = Object.entries(state as object).map(([field, value]) => [field, formatValue(value)]);
  return `${stream} after revision ${revision}, recorded at ${time}\n${formatTable(rows)}`;
};

/**
 * Formats a value as JSON, because JSON escapes control characters, which a terminal would interpret. A word without special
 * characters has no quotes.
 */
const formatValue = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'null';
  return typeof value === 'string' && /^[\w.:+-]+$/.test(value) ? value : text;
};
