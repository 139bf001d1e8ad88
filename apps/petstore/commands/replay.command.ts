import { once } from 'node:events';
import type { DeliveryResource } from '../../../libs/application/deliveries/delivery-views.js';
import type { Settings } from '../../../libs/settings/settings.js';
import { SUBSCRIBABLE_EVENTS } from '../../../libs/domain/webhooks/webhook.events.js';
import type { Webhook } from '../../api/webhooks/webhook.dto.js';
import { abortAfter } from '../client/send-request.js';
import { parseEventNames } from '../client/event-names.js';
import { parseBound, parseDuration, parseTime } from '../client/time-options.js';
import { connectClient, type ServiceClient, type ServiceOptions } from '../client/service-client.js';
import { Replay, type Outcome } from '../client/replay.js';
import { clock } from '../composition/clock.js';
import { parseReceiver, listEndpointsAt, withTemporaryEndpoint } from '../client/temporary-endpoint.js';
import { abortOnSignal } from '../client/abort-on-signal.js';
import { CommandError } from '../errors/command-error.js';
import { pause } from '../terminal/pause.js';
import { showProgress } from '../terminal/progress.js';

/** The options of `petstore replay`. */
export type ReplayOptions = ServiceOptions & {
  readonly since: string;
  readonly until?: string;
  readonly to: string;
  readonly events?: string;
  readonly wait: string;
};

type ReplayRequest = { readonly to: string; readonly since: string; readonly until: string | undefined; readonly waitMilliseconds: number };

/** The subject and scopes of the command's token. The scope ops exempts its requests from the rate limit (contract 11.2). */
const REPLAYER = { subject: 'replay', scope: 'write:webhooks ops' };
/** Milliseconds between two reads of the state of the replay. */
const POLL_INTERVAL = 200;
/** Milliseconds between two lines about a search that still runs. */
const PROGRESS_INTERVAL = 5_000;
/** The maximum number of undelivered deliveries that the command lists at its end. */
const MAX_LISTED = 10;

/**
 * Redelivers the events between two times to an address. Waits until each delivery is delivered or parked, but not longer than
 * `--wait`.
 */
export const replayCommand = async (settings: Settings, options: ReplayOptions): Promise<void> => {
  const request = parseReplay(options, clock.now());
  const events = options.events === undefined ? null : parseEventNames(options.events);
  const service = await connectClient(settings, options, REPLAYER);
  const stop = abortOnSignal();
  // Prefers an endpoint that is registered for the address, because the receiver knows the secret of that endpoint. With
  // --events, uses a temporary endpoint: a registered one would receive all events that it subscribes to.
  const [registered, ...others] = events ? [] : await listEndpointsAt(service, request.to);
  if (registered) {
    process.stdout.write(
      `Endpoint ${registered.id} is registered for ${request.to}: it receives the events that it subscribes to, signed with its secret.\n`,
    );
    if (others.length > 0)
      process.stdout.write(`It is the newest of ${others.length + 1} endpoints at this address; the others receive nothing.\n`);
    return replayTo(service, registered, request, stop);
  }
  const temporary = { command: 'replay', to: request.to, events: events ?? SUBSCRIBABLE_EVENTS, ordered: false } as const;
  await withTemporaryEndpoint(service, temporary, async (endpoint) => {
    process.stdout.write(
      `${request.to} receives ${endpoint.events.join(', ')}, signed with this secret, the same each time for this address: ${endpoint.secret}\n`,
    );
    // By default, the range ends when the endpoint is created: the service delivers all later events to the endpoint anyway.
    if (await waitForEnter(stop)) await replayTo(service, endpoint, { ...request, until: request.until ?? endpoint.createdAt }, stop);
    else process.exitCode = 1;
  });
};

const parseReplay = ({ to, since, until, wait: longest }: ReplayOptions, now: Date): ReplayRequest => {
  const [from, end] = [parseBound('--since', since, now), until === undefined ? undefined : parseTime('--until', until, now)];
  if (from > (end ?? now)) throw new CommandError(`--since ${from.toISOString()} is ${end ? 'after --until' : 'in the future'}`);
  const waitMilliseconds = parseDuration(longest);
  if (waitMilliseconds === null)
    throw new CommandError(`--wait ${JSON.stringify(longest)} is not a length of time; examples: 30s, 15m, 2h`);
  return { to: parseReceiver('--to', to), since: from.toISOString(), until: end?.toISOString(), waitMilliseconds };
};

/**
 * Waits until the user has configured the receiver and pressed Enter, and returns true. Without a terminal, returns true at
 * once. Returns false if the command is stopped.
 */
const waitForEnter = async (stop: AbortSignal): Promise<boolean> => {
  const { stdin } = process;
  if (!stdin.isTTY) return true;
  process.stdout.write('Configure the receiver with this secret, then press Enter.\n');
  // The input becomes readable after Enter, and also when it ends, for example after Ctrl-D.
  await once(stdin, 'readable', { signal: stop }).catch(() => undefined);
  stdin.destroy();
  return !stop.aborted;
};

const replayTo = async (service: ServiceClient, { id, events }: Webhook, request: ReplayRequest, stop: AbortSignal): Promise<void> => {
  const { since, until = clock.now().toISOString(), waitMilliseconds } = request;
  const startedAt = clock.elapsed();
  const replay = await Replay.start(service, { webhookId: id, events, since, until });
  const total = await waitUntilFound(replay, stop);
  if (total === 0) {
    process.stdout.write(`No matching events were recorded between ${since} and ${until}.\n`);
    return;
  }
  if (total !== null)
    await waitUntilSettled(replay, { total, begun: startedAt }, AbortSignal.any([stop, abortAfter(clock, waitMilliseconds)]));
  printOutcome(replay, await replay.readOutcome(), total);
};

/**
 * Waits until the service has found all deliveries, and prints the progress of a long search. Returns the number of
 * deliveries, or null if the command is stopped.
 */
const waitUntilFound = async (replay: Replay, stop: AbortSignal): Promise<number | null> => {
  let lastPrinted = clock.elapsed();
  while (!stop.aborted) {
    const { deliveries, isComplete } = await replay.readProgress();
    if (isComplete) return deliveries;
    if (clock.elapsed() - lastPrinted > PROGRESS_INTERVAL) {
      lastPrinted = clock.elapsed();
      process.stderr.write(`${deliveries.toLocaleString('en-US')} deliveries found; the service is still searching\n`);
    }
    await pause(POLL_INTERVAL, stop);
  }
  return null;
};

/** The number of deliveries of the replay, and the elapsed time at which the replay began. */
type ReplayStart = { readonly total: number; readonly begun: number };

const waitUntilSettled = async (replay: Replay, { total, begun }: ReplayStart, giveUp: AbortSignal): Promise<void> => {
  const progress = showProgress(clock, total, 'deliveries', begun);
  const printed = new Set<string>();
  while (!giveUp.aborted) {
    // `countUnfinished` also counts deliveries of new events, so `unfinished` can be larger than `total`.
    const unfinished = await replay.countUnfinished();
    progress.at(total - Math.min(total, unfinished));
    const pending = unfinished === 0 ? [] : await replay.listPending();
    if (pending.length === 0 && (await isSettled(replay, total))) break;
    printFailures(replay, pending, printed);
    // Fewer unfinished deliveries than the replay has: some have arrived.
    const reason = unfinished < total ? null : await replay.findCommonFailure(pending);
    if (reason !== null) {
      process.stderr.write(`Every delivery fails alike (${reason}), so replay stops. Repair the receiver, and run the command again.\n`);
      break;
    }
    await pause(POLL_INTERVAL, giveUp);
  }
  progress.done(total - Math.min(total, await replay.countUnfinished()));
};

const isSettled = async (replay: Replay, total: number): Promise<boolean> => {
  const { delivered, others } = await replay.readOutcome();
  return delivered + others.filter(({ status }) => status === 'parked').length >= total;
};

/** Prints each error status or fault when it first occurs, so that the user can repair the receiver before the last attempt. */
const printFailures = (replay: Replay, pending: readonly DeliveryResource[], printed: Set<string>): void => {
  for (const delivery of pending) {
    const latest = replay.findLatestAttempt(delivery);
    const failure = String(latest?.status ?? latest?.fault);
    if (!latest || printed.has(failure)) continue;
    printed.add(failure);
    process.stderr.write(`${delivery.eventType} ${delivery.eventId} failed with ${failure}; next attempt at ${delivery.nextAttemptAt}\n`);
  }
};

const printOutcome = (replay: Replay, { delivered, others }: Outcome, total: number | null): void => {
  const parked = others.filter(({ status }) => status === 'parked').length;
  const incomplete = total === null ? '; the search was not complete' : '';
  process.stdout.write(`${delivered} delivered, ${parked} parked, ${others.length - parked} not yet delivered${incomplete}\n`);
  for (const delivery of others.slice(0, MAX_LISTED)) {
    const latest = replay.findLatestAttempt(delivery);
    process.stdout.write(`  ${delivery.eventType} ${delivery.eventId}: ${latest?.status ?? latest?.fault ?? 'no attempt'}\n`);
  }
  if (others.length > MAX_LISTED) process.stdout.write(`  and ${others.length - MAX_LISTED} more\n`);
  if (others.length > 0 || total === null) process.exitCode = 1;
};
