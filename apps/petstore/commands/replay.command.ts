import { once } from 'node:events';
import type { ShownDelivery } from '../../../libs/application/deliveries/shown-deliveries.js';
import type { Settings } from '../../../libs/settings/settings.js';
import { SUBSCRIBABLE_EVENTS } from '../../../libs/domain/webhooks/webhook.events.js';
import type { Webhook } from '../../api/webhooks/webhook.dto.js';
import { abortAfter } from '../client/abort-after.js';
import { parseEventNames } from '../client/event-names.js';
import { parseDuration, parseTime } from '../client/time-options.js';
import { connectToStore, type StoreClient, type StoreOptions } from '../client/store-client.js';
import { Replay, type Outcome } from '../client/replay.js';
import { clock } from '../composition/clock.js';
import { parseAddress, listEndpointsAt, withTemporaryEndpoint } from '../client/temporary-endpoint.js';
import { abortOnSignal } from '../client/abort-on-signal.js';
import { CommandError } from '../errors/command-error.js';
import { pause } from '../terminal/pause.js';
import { showProgress } from '../terminal/progress.js';

/** What `petstore replay` is asked for. */
export type ReplayOptions = StoreOptions & {
  readonly since: string;
  readonly until?: string;
  readonly to: string;
  readonly events?: string;
  readonly wait: string;
};

type ReplayRequest = { readonly to: string; readonly since: string; readonly until: string | undefined; readonly waitMilliseconds: number };

/** `ops` is exempt from the rate limit. */
const REPLAYER = { subject: 'replay', scope: 'write:webhooks ops' };
const POLL_INTERVAL = 200;
const PROGRESS_INTERVAL = 5_000;
const MAX_LISTED = 10;

/** Has the store send what happened in a stretch of time to an address once more, and waits for what comes of it. */
export const replayCommand = async (settings: Settings, options: ReplayOptions): Promise<void> => {
  const request = parseReplay(options, clock.now());
  const events = options.events === undefined ? null : parseEventNames(options.events);
  const store = await connectToStore(settings, options, REPLAYER);
  const stop = abortOnSignal();
  // Its receiver knows the secret already; but it is told all that it asks for.
  const [registered, ...others] = events ? [] : await listEndpointsAt(store, request.to);
  if (registered) {
    process.stdout.write(
      `Endpoint ${registered.id} is registered for ${request.to}: it is sent what it asks for, signed with its secret.\n`,
    );
    if (others.length > 0) process.stdout.write(`It is the newest of the ${others.length + 1} there; no other is sent anything.\n`);
    return replay(store, registered, request, stop);
  }
  const terms = { command: 'replay', to: request.to, events: events ?? SUBSCRIBABLE_EVENTS, ordered: false } as const;
  await withTemporaryEndpoint(store, terms, async (endpoint) => {
    process.stdout.write(
      `${request.to} is sent ${endpoint.events.join(', ')}, signed with a secret that is shown once: ${endpoint.secret}\n`,
    );
    if (await waitForEnter(stop)) await replay(store, endpoint, { ...request, until: request.until ?? endpoint.createdAt }, stop);
    else process.exitCode = 1;
  });
};

const parseReplay = ({ to, since, until, wait: longest }: ReplayOptions, now: Date): ReplayRequest => {
  const [from, end] = [parseTime('--since', since, now), until === undefined ? undefined : parseTime('--until', until, now)];
  if (from > (end ?? now)) throw new CommandError(`--since: ${from.toISOString()} is after ${end ? '--until' : 'now'}`);
  const waitMilliseconds = parseDuration(longest);
  if (waitMilliseconds === null) throw new CommandError(`--wait: ${longest} is no time. Write one as 30s, 15m or 2h`);
  return { to: parseAddress('--to', to), since: from.toISOString(), until: end?.toISOString(), waitMilliseconds };
};

/** At a terminal somebody is there to hand the secret on; a script has its own way. False when it was stopped before. */
const waitForEnter = async (stop: AbortSignal): Promise<boolean> => {
  const { stdin } = process;
  if (!stdin.isTTY) return true;
  process.stdout.write('Give it to the receiver, then press Enter.\n');
  // A line makes it readable, and so does its end.
  await once(stdin, 'readable', { signal: stop }).catch(() => undefined);
  stdin.destroy();
  return !stop.aborted;
};

const replay = async (store: StoreClient, { id, events }: Webhook, wish: ReplayRequest, stop: AbortSignal): Promise<void> => {
  const { since, until = clock.now().toISOString(), waitMilliseconds } = wish;
  const begun = clock.now();
  const replayed = await Replay.start(store, { webhookId: id, events, since, until });
  const total = await waitUntilFound(replayed, stop);
  if (total === 0) {
    process.stdout.write(`Nothing of that happened between ${since} and ${until}.\n`);
    return;
  }
  if (total !== null) await waitUntilSettled(replayed, { total, begun }, AbortSignal.any([stop, abortAfter(clock, waitMilliseconds)]));
  printOutcome(replayed, await replayed.readOutcome(), total);
};

/** Waits until the store has found every delivery; what it found is sent meanwhile, so a long search says how far it is. */
const waitUntilFound = async (replayed: Replay, stop: AbortSignal): Promise<number | null> => {
  let shown = clock.now().getTime();
  while (!stop.aborted) {
    const { deliveries, isComplete } = await replayed.readProgress();
    if (isComplete) return deliveries;
    if (clock.now().getTime() - shown > PROGRESS_INTERVAL) {
      shown = clock.now().getTime();
      process.stderr.write(`${deliveries.toLocaleString('en-US')} deliveries found and begun; the store looks for more\n`);
    }
    await pause(POLL_INTERVAL, stop);
  }
  return null;
};

type ReplayStart = { readonly total: number; readonly begun: Date };

const waitUntilSettled = async (replayed: Replay, { total, begun }: ReplayStart, giveUp: AbortSignal): Promise<void> => {
  const progress = showProgress(clock, total, 'deliveries', begun);
  const told = new Set<string>();
  while (!giveUp.aborted) {
    const onTheirWay = await replayed.countUnfinished();
    progress.at(total - Math.min(total, onTheirWay));
    const tried = onTheirWay === 0 ? [] : await replayed.listPending();
    if (tried.length === 0 && (await isSettled(replayed, total))) break;
    printFailures(replayed, tried, told);
    await pause(POLL_INTERVAL, giveUp);
  }
  progress.done(total - Math.min(total, await replayed.countUnfinished()));
};

const isSettled = async (replayed: Replay, total: number): Promise<boolean> => {
  const { delivered, others } = await replayed.readOutcome();
  return delivered + others.filter(({ status }) => status === 'parked').length >= total;
};

/** Says why it does not go on, once for each way to fail: the receiver may still be mended. */
const printFailures = (replayed: Replay, tried: readonly ShownDelivery[], told: Set<string>): void => {
  for (const delivery of tried) {
    const latest = replayed.findLatestAttempt(delivery);
    const came = String(latest?.status ?? latest?.fault);
    if (!latest || told.has(came)) continue;
    told.add(came);
    process.stderr.write(`${delivery.eventType} ${delivery.eventId} came to ${came}; it is tried again at ${delivery.nextAttemptAt}\n`);
  }
};

const printOutcome = (replayed: Replay, { delivered, others }: Outcome, total: number | null): void => {
  const parked = others.filter(({ status }) => status === 'parked').length;
  const looking = total === null ? ', and the store was still looking for more' : '';
  process.stdout.write(`${delivered} delivered, ${parked} parked, ${others.length - parked} not yet delivered${looking}\n`);
  for (const delivery of others.slice(0, MAX_LISTED)) {
    const latest = replayed.findLatestAttempt(delivery);
    process.stdout.write(`  ${delivery.eventType} ${delivery.eventId}: ${latest?.status ?? latest?.fault ?? 'not tried'}\n`);
  }
  if (others.length > MAX_LISTED) process.stdout.write(`  and ${others.length - MAX_LISTED} more\n`);
  if (others.length > 0 || total === null) process.exitCode = 1;
};
