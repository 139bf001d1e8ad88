import type {
  NewRetry,
  ParkedCause,
  ParkedList,
  RetryResult,
  RetryResults,
  SkippedEvents,
  SkipResult,
} from '../../../api/ops/parked/parked.dto.js';
import type { Settings } from '../../../../libs/settings/settings.js';
import type { ServiceOptions } from '../../client/service-client.js';
import { CommandError } from '../../errors/command-error.js';
import { programOn } from '../../terminal/installation.js';
import { formatTable } from '../../terminal/table.js';
import { operatorName, runAsOperator } from './run-as-operator.js';

export type OperatorOptions = Pick<ServiceOptions, 'url' | 'token'> & { readonly json?: boolean };

/** The options of `petstore parked`. */
export type ParkedOptions = OperatorOptions & { readonly name?: string; readonly cause?: string };

/** The options of `petstore retry`. */
export type RetryOptions = OperatorOptions & {
  readonly cause?: string;
  readonly all?: boolean;
  readonly trial?: boolean;
  readonly reason?: string;
};

/** The options of `petstore skip` and `petstore unskip`. */
export type SkipOptions = OperatorOptions & { readonly reason?: string };

/** Prints what could not be handled and waits (contract 43.2). */
export const parkedCommand = (settings: Settings, { name, cause, ...options }: ParkedOptions): Promise<void> =>
  runAsOperator(settings, options, operatorName(), async ({ request }) => {
    const query = new URLSearchParams({ ...(name !== undefined && { name }), ...(cause !== undefined && { cause }) });
    const { json: parked } = await request<ParkedList>('GET', `/v1/ops/parked${query.size > 0 ? `?${query.toString()}` : ''}`);
    process.stdout.write(options.json ? `${JSON.stringify(parked)}\n` : formatParked(parked, programOn(settings)));
  });

const formatParked = ({ count, isComplete, causes }: ParkedList, program: string): string => {
  if (count === 0) return 'Nothing is parked.\n';
  const rest = isComplete ? '' : ' Only the 1,000 oldest deliveries are counted.';
  return (
    `${causes.map(formatCause).join('\n')}\n${count} ${count === 1 ? 'item is' : 'items are'} parked.${rest}\n` +
    `To retry all items of a cause: ${program} retry --cause CAUSE\n` +
    (causes.some(canSkip) ? `To leave out an event that no release will handle: ${program} skip NAME STREAM REVISION --reason TEXT\n` : '')
  );
};

/** Returns whether an event of the cause can be skipped: it was neither altered nor written by a newer release, and is not the first one. */
const canSkip = ({ kind, name, cause, items }: ParkedCause): boolean =>
  kind !== 'delivery' && name !== 'relay' && cause.startsWith('error-') && items.some(({ revision }) => revision > 0);

const formatCause = ({ kind, name, cause, count, items }: ParkedCause): string => {
  const rows = items.map(({ stream, revision, eventType = 'unknown event', eventTime = '', deliveryId, error }) => [
    `  ${deliveryId ?? stream}`,
    `revision ${revision}`,
    eventType,
    eventTime,
    error,
  ]);
  const more = count > items.length ? `  and ${count - items.length} more\n` : '';
  return `${name}: ${count} ${PLURALS[kind][count === 1 ? 0 : 1]} with the cause ${cause}\n${formatTable(rows)}${more}`;
};

const PLURALS: { readonly [K in ParkedCause['kind']]: readonly [one: string, several: string] } = {
  stream: ['stream', 'streams'],
  key: ['key', 'keys'],
  delivery: ['delivery', 'deliveries'],
};

/** Retries what could not be handled, and prints the results (contract 43.3). Exits with 1 if something is still parked. */
export const retryCommand = async (
  settings: Settings,
  chosen: { readonly name?: string | undefined; readonly stream?: string | undefined },
  { cause, all, trial, reason, ...options }: RetryOptions,
): Promise<void> => {
  const { name, stream } = chosen;
  if ([name !== undefined, cause !== undefined, all === true].filter(Boolean).length !== 1)
    throw new CommandError('pass either NAME and STREAM, or --cause, or --all; "petstore parked" lists what can be retried');
  if (name !== undefined && stream === undefined)
    throw new CommandError(`pass the stream, too: retry ${name} STREAM; "parked --name ${name}" lists the streams`);
  const body: NewRetry = {
    ...(name !== undefined && { name }),
    ...(stream !== undefined && { stream }),
    ...(cause !== undefined && { cause }),
    ...(all && { all }),
    ...(trial && { trial }),
    ...(reason !== undefined && { reason }),
  };
  await runAsOperator(settings, options, operatorName(), async ({ request }) => {
    const { json: retried } = await request<RetryResults>('POST', '/v1/ops/parked/retry', body);
    process.stdout.write(options.json ? `${JSON.stringify(retried)}\n` : formatResults(retried));
    if (retried.results.some(({ outcome }) => outcome === 'parked' || outcome === 'waiting')) process.exitCode = 1;
  });
};

const formatResults = ({ trial, results }: RetryResults): string => {
  if (results.length === 0) return 'Nothing of that is parked.\n';
  const rows = results.map(({ name, stream, deliveryId, outcome, error = '' }) => [
    name,
    deliveryId ?? stream,
    (trial ? TRIALS : OUTCOMES)[outcome],
    error,
  ]);
  return formatTable(rows) + (trial ? 'This was a trial: nothing has changed.\n' : '');
};

type Wording = { readonly [O in RetryResult['outcome']]: string };
const OUTCOMES: Wording = {
  released: 'no longer waits',
  parked: 'is still parked',
  sent: 'is sent again',
  waiting: 'waits for a process that retries it',
  unknown: 'is still parked',
};
const TRIALS: Wording = {
  ...OUTCOMES,
  released: 'would succeed',
  parked: 'would fail again',
  unknown: 'can only be retried, not tried',
};

/** Skips an event, or ends that, and prints what came of it (contract 43.8). Exits with 1 if the stream is parked or waits. */
export const skipCommand = async (
  settings: Settings,
  action: 'skip' | 'unskip',
  chosen: { readonly name: string; readonly stream: string; readonly revision: string },
  { reason, ...options }: SkipOptions,
): Promise<void> => {
  const revision = Number(chosen.revision);
  if (!Number.isSafeInteger(revision) || revision < 0)
    throw new CommandError(`the revision must be a whole number, not ${chosen.revision}; "petstore parked" shows it`);
  if (revision === 0) throw new CommandError('the first event of a stream, whose revision is 0, cannot be skipped');
  const body = { ...chosen, revision, ...(reason !== undefined && { reason }) };
  await runAsOperator(settings, options, operatorName(), async ({ request }) => {
    const { json: result } = await request<SkipResult>('POST', `/v1/ops/parked/${action}`, body);
    process.stdout.write(options.json ? `${JSON.stringify(result)}\n` : formatSkip(result, action));
    if (result.outcome !== 'released') process.exitCode = 1;
  });
};

const formatSkip = ({ name, stream, revision, outcome, error = '' }: SkipResult, action: 'skip' | 'unskip'): string => {
  const done = action === 'skip' ? 'leaves the event out' : 'no longer leaves the event out';
  if (outcome === 'waiting') return `${name} ${done} as soon as a process retries ${stream}.\n`;
  if (outcome === 'parked') return `${name} ${done}, but ${stream} is parked at revision ${revision}: ${error}\n`;
  return `${name} ${done}, and ${stream} does not wait.\n`;
};

/** Prints the skipped events. */
export const skippedCommand = (settings: Settings, options: OperatorOptions): Promise<void> =>
  runAsOperator(settings, options, operatorName(), async ({ request }) => {
    const { json: skipped } = await request<SkippedEvents>('GET', '/v1/ops/parked/skipped');
    process.stdout.write(options.json ? `${JSON.stringify(skipped)}\n` : formatSkipped(skipped));
  });

const formatSkipped = ({ data }: SkippedEvents): string =>
  data.length === 0
    ? 'No event is skipped.\n'
    : formatTable(data.map(({ name, stream, revision, since, by, reason }) => [name, stream, `revision ${revision}`, since, by, reason]));
