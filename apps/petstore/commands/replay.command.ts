import { once } from 'node:events';
import type { ShownDelivery } from '../../../libs/application/deliveries/shown-deliveries.js';
import type { Settings } from '../../../libs/settings/settings.js';
import { ANNOUNCED_EVENTS } from '../../../libs/domain/webhooks/webhook.events.js';
import type { Webhook } from '../../api/webhooks/webhook.dto.js';
import { abortAfter } from '../client/abort-after.js';
import { eventsFrom } from '../client/event-names.js';
import { durationFrom, momentFrom } from '../client/time-options.js';
import { reachStore, type ReachedStore, type StoreOptions } from '../client/store-client.js';
import { Replayed, type Outcome } from '../client/replay.js';
import { clock } from '../composition/clock.js';
import { addressFrom, registeredFor, withTemporaryEndpoint } from '../client/temporary-endpoint.js';
import { untilSignal } from '../client/abort-on-signal.js';
import { CommandError } from '../errors/command-error.js';
import { pause } from '../terminal/pause.js';
import { progressBar } from '../terminal/progress.js';

/** What `petstore replay` is asked for. */
export type ReplayOptions = StoreOptions & {
  readonly since: string;
  readonly until?: string;
  readonly to: string;
  readonly events?: string;
  readonly wait: string;
};

type Wish = { readonly to: string; readonly since: string; readonly until: string | undefined; readonly waitMilliseconds: number };

/** `ops` is exempt from the rate limit. */
const REPLAYER = { subject: 'replay', scope: 'write:webhooks ops' };
const LOOKS_EVERY = 200;
const SEARCH_SHOWN_EVERY = 5_000;
const SHOWN = 10;

/** Has the store send what happened in a stretch of time to an address once more, and waits for what comes of it. */
export const replayCommand = async (settings: Settings, options: ReplayOptions): Promise<void> => {
  const wish = wishFrom(options, clock.now());
  const events = options.events === undefined ? null : eventsFrom(options.events);
  const store = await reachStore(settings, options, REPLAYER);
  const stop = untilSignal();
  // Its receiver knows the secret already; but it is told all that it asks for.
  const [registered, ...others] = events ? [] : await registeredFor(store, wish.to);
  if (registered) {
    process.stdout.write(`Endpoint ${registered.id} is registered for ${wish.to}: it is sent what it asks for, signed with its secret.\n`);
    if (others.length > 0) process.stdout.write(`It is the newest of the ${others.length + 1} there; no other is sent anything.\n`);
    return replay(store, registered, wish, stop);
  }
  const terms = { command: 'replay', to: wish.to, events: events ?? ANNOUNCED_EVENTS, ordered: false } as const;
  await withTemporaryEndpoint(store, terms, async (endpoint) => {
    process.stdout.write(`${wish.to} is sent ${endpoint.events.join(', ')}, signed with a secret that is shown once: ${endpoint.secret}\n`);
    if (await receiverKnows(stop)) await replay(store, endpoint, { ...wish, until: wish.until ?? endpoint.createdAt }, stop);
    else process.exitCode = 1;
  });
};

const wishFrom = ({ to, since, until, wait: longest }: ReplayOptions, now: Date): Wish => {
  const [from, end] = [momentFrom('--since', since, now), until === undefined ? undefined : momentFrom('--until', until, now)];
  if (from > (end ?? now)) throw new CommandError(`--since: ${from.toISOString()} is after ${end ? '--until' : 'now'}`);
  const waitMilliseconds = durationFrom(longest);
  if (waitMilliseconds === null) throw new CommandError(`--wait: ${longest} is no time. Write one as 30s, 15m or 2h`);
  return { to: addressFrom('--to', to), since: from.toISOString(), until: end?.toISOString(), waitMilliseconds };
};

/** At a terminal somebody is there to hand the secret on; a script has its own way. False when it was stopped before. */
const receiverKnows = async (stop: AbortSignal): Promise<boolean> => {
  const { stdin } = process;
  if (!stdin.isTTY) return true;
  process.stdout.write('Give it to the receiver, then press Enter.\n');
  // A line makes it readable, and so does its end.
  await once(stdin, 'readable', { signal: stop }).catch(() => undefined);
  stdin.destroy();
  return !stop.aborted;
};

const replay = async (store: ReachedStore, { id, events }: Webhook, wish: Wish, stop: AbortSignal): Promise<void> => {
  const { since, until = clock.now().toISOString(), waitMilliseconds } = wish;
  const begun = clock.now();
  const replayed = await Replayed.begin(store, { webhookId: id, events, since, until });
  const total = await allFound(replayed, stop);
  if (total === 0) {
    process.stdout.write(`Nothing of that happened between ${since} and ${until}.\n`);
    return;
  }
  if (total !== null) await settled(replayed, { total, begun }, AbortSignal.any([stop, abortAfter(clock, waitMilliseconds)]));
  report(replayed, await replayed.outcome(), total);
};

/** Waits until the store has found every delivery; what it found is sent meanwhile, so a long search says how far it is. */
const allFound = async (replayed: Replayed, stop: AbortSignal): Promise<number | null> => {
  let shown = clock.now().getTime();
  while (!stop.aborted) {
    const { deliveries, isComplete } = await replayed.found();
    if (isComplete) return deliveries;
    if (clock.now().getTime() - shown > SEARCH_SHOWN_EVERY) {
      shown = clock.now().getTime();
      process.stderr.write(`${deliveries.toLocaleString('en-US')} deliveries found and begun; the store looks for more\n`);
    }
    await pause(LOOKS_EVERY, stop);
  }
  return null;
};

type Begun = { readonly total: number; readonly begun: Date };

const settled = async (replayed: Replayed, { total, begun }: Begun, giveUp: AbortSignal): Promise<void> => {
  const progress = progressBar(clock, total, 'deliveries', begun);
  const told = new Set<string>();
  while (!giveUp.aborted) {
    const onTheirWay = await replayed.onTheirWay();
    progress.at(total - Math.min(total, onTheirWay));
    const tried = onTheirWay === 0 ? [] : await replayed.stillTried();
    if (tried.length === 0 && (await isSettled(replayed, total))) break;
    tellFailures(replayed, tried, told);
    await pause(LOOKS_EVERY, giveUp);
  }
  progress.done(total - Math.min(total, await replayed.onTheirWay()));
};

const isSettled = async (replayed: Replayed, total: number): Promise<boolean> => {
  const { delivered, others } = await replayed.outcome();
  return delivered + others.filter(({ status }) => status === 'parked').length >= total;
};

/** Says why it does not go on, once for each way to fail: the receiver may still be mended. */
const tellFailures = (replayed: Replayed, tried: readonly ShownDelivery[], told: Set<string>): void => {
  for (const delivery of tried) {
    const latest = replayed.latestAttempt(delivery);
    const came = String(latest?.status ?? latest?.fault);
    if (!latest || told.has(came)) continue;
    told.add(came);
    process.stderr.write(`${delivery.eventType} ${delivery.eventId} came to ${came}; it is tried again at ${delivery.nextAttemptAt}\n`);
  }
};

const report = (replayed: Replayed, { delivered, others }: Outcome, total: number | null): void => {
  const parked = others.filter(({ status }) => status === 'parked').length;
  const looking = total === null ? ', and the store was still looking for more' : '';
  process.stdout.write(`${delivered} delivered, ${parked} parked, ${others.length - parked} not yet delivered${looking}\n`);
  for (const delivery of others.slice(0, SHOWN)) {
    const latest = replayed.latestAttempt(delivery);
    process.stdout.write(`  ${delivery.eventType} ${delivery.eventId}: ${latest?.status ?? latest?.fault ?? 'not tried'}\n`);
  }
  if (others.length > SHOWN) process.stdout.write(`  and ${others.length - SHOWN} more\n`);
  if (others.length > 0 || total === null) process.exitCode = 1;
};
