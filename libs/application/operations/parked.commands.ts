import { pauseFor } from '../../runtime/following/pause.js';
import { isRejection, type Rejection } from '../../eventsourcing/decider.js';
import { DeliveryStore } from '../../deliveries/delivery-store.js';
import { findEndpointOfTenant } from '../../deliveries/endpoints.js';
import { remainingFault } from '../../eventsourcing/projecting.js';
import { projections } from '../../projections/projections.js';
import { readHistory } from '../../runtime/codec/verified-history.js';
import { withRetries } from '../../runtime/operating/operator-state.js';
import { metRequests } from '../../runtime/operating/retry-requests.js';
import { createProjector } from '../../runtime/projecting/projector.js';
import { BrokenHistory } from '../../eventsourcing/history.js';
import { reasonOf } from '../../eventsourcing/reason.js';
import type { RetryChoice } from '../../domain/operations/operator-actions.js';
import type { Ports } from '../command-ports.js';
import { enqueueRedelivery } from '../deliveries/delivery.commands.js';
import { RequestCommand, type RequestContext, type ResultOf } from '../request.js';
import { act, ofWholeStore, type Done, type KeyReason } from './operator-actions.js';
import { readParked, type ParkedItem } from './parked.queries.js';

/**
 * What a retry has come to. `released`: the item no longer waits. `parked`: it failed again. `sent`: a worker sends the delivery.
 * `waiting`: no process that runs has retried it yet. `unknown`: only a retry, not a trial, shows it.
 */
export type RetryOutcome = 'released' | 'parked' | 'sent' | 'waiting' | 'unknown';

export type RetryResult = Pick<ParkedItem, 'name' | 'stream' | 'revision' | 'cause'> & {
  readonly deliveryId?: string;
  readonly outcome: RetryOutcome;
  /** Why it is still parked, or cannot be retried. */
  readonly error?: string;
};

/** The results of a retry. If it was `replayed`, they are what is still parked of what was chosen. */
export type RetryResults = Done & { readonly results: readonly RetryResult[] };

/**
 * Retries what is parked and was chosen, in order. With `isTrial`, changes and records nothing, and returns what a retry would come
 * to as far as that is known.
 */
export class RetryParked extends RequestCommand<'RetryParked', RetryResults | Rejection<KeyReason>> {
  constructor(
    readonly choice: RetryChoice,
    readonly isTrial: boolean,
    readonly reason: string | undefined,
    readonly request: RequestContext,
  ) {
    super();
  }
}

type RetryingPorts = Ports<
  'identities' | 'aggregates' | 'clock' | 'documents' | 'decisions' | 'parked' | 'faults' | 'store' | 'codec' | 'work' | 'ids'
>;

export const retryParked = async (
  ports: RetryingPorts,
  { choice, isTrial, reason, request }: RetryParked,
): Promise<ResultOf<RetryParked>> => {
  const { items } = await readParked(ports, choice);
  if (isTrial) return { replayed: false, results: await each(items, (item) => tryItem(ports, item)) };
  const waiting = items.filter(({ kind }) => kind !== 'delivery');
  const names = new Set(waiting.map(({ name }) => name));
  const why = reason === undefined ? {} : { reason };
  const done = await act(ports, { operation: 'retryParked', asked: { ...choice, ...why }, request }, (state) => {
    if (items.length === 0) return { next: state };
    return { event: { type: 'ParkedRetried', data: { ...choice, ...why } }, next: names.size > 0 ? withRetries(state, names) : state };
  });
  if (isRejection(done)) return done;
  // Also if it was recorded before: the process may have ended in between. The queue knows the ids, so each is sent once.
  const sent = await each(
    items.filter(({ kind }) => kind === 'delivery'),
    (item) => redeliver(ports, item, request),
  );
  if (done.replayed) return { ...done, results: [...waiting.map((item) => resultOf(item, 'parked', item.error)), ...sent] };
  const unmet = await waitForRetries(ports, names);
  const left = new Map((await readParked(ports, choice)).items.map((item) => [keyOf(item), item]));
  const retried = waiting.map((item): RetryResult => {
    const again = left.get(keyOf(item));
    if (unmet.has(item.name)) return resultOf(item, 'waiting');
    return again ? resultOf(again, 'parked', again.error) : resultOf(item, 'released');
  });
  return { ...done, results: [...retried, ...sent] };
};

const keyOf = ({ name, stream }: ParkedItem): string => `${name} ${stream}`;

const resultOf = ({ name, stream, revision, cause, delivery }: ParkedItem, outcome: RetryOutcome, error?: string): RetryResult => ({
  name,
  stream,
  revision,
  cause,
  ...(delivery && { deliveryId: delivery.id }),
  outcome,
  ...(error !== undefined && { error }),
});

const each = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> => {
  const results: R[] = [];
  for (const item of items) results.push(await work(item));
  return results;
};

/** Milliseconds for which a request waits for the processes that retry. */
const WAIT = 10_000;
const LOOK_EVERY = 50;

/** Waits until readers and consumers have retried. Returns those that have not within WAIT. */
export const waitForRetries = async (
  ports: Ports<'documents' | 'clock' | 'decisions'>,
  names: ReadonlySet<string>,
): Promise<ReadonlySet<string>> => {
  const { documents, clock } = ports;
  const { retries = {} } = ports.decisions.current();
  const unmet = new Set(names);
  const begin = clock.elapsed();
  for (;;) {
    for (const name of unmet) if ((await metRequests(documents, name)) >= (retries[name] ?? 0)) unmet.delete(name);
    if (unmet.size === 0 || clock.elapsed() - begin >= WAIT) return unmet;
    await pauseFor(LOOK_EVERY, clock);
  }
};

const redeliver = async (
  { documents, work, identities }: RetryingPorts,
  item: ParkedItem,
  request: RequestContext,
): Promise<RetryResult> => {
  const target = item.delivery?.target;
  if (target?.kind !== 'webhook') return resultOf(item, 'parked', 'a callback cannot be sent again: request a new one for its order');
  const endpoint = await findEndpointOfTenant(documents, target.webhookId, item.delivery?.tenant ?? '');
  if (endpoint?.status !== 'enabled')
    return resultOf(item, 'parked', endpoint ? 'the endpoint is disabled: enable it first' : 'the endpoint is removed');
  const stored = await new DeliveryStore(documents).find(item.delivery?.id ?? '');
  if (stored?.delivery.status !== 'parked') return resultOf(item, 'released');
  const { id } = identities.of(`retryParked:${stored.delivery.id}`, ofWholeStore(request), {});
  // With the key of an earlier retry, it was sent then, and is parked again since.
  if (!(await enqueueRedelivery(work, endpoint, stored.delivery, id))) return resultOf(item, 'parked', item.error);
  return resultOf(item, 'sent');
};

/** Folds a parked stream as a retry would, and stores nothing. */
const tryItem = async (ports: RetryingPorts, item: ParkedItem): Promise<RetryResult> => {
  if (item.kind !== 'stream') return resultOf(item, 'unknown');
  try {
    const events = await readHistory(ports, item.stream);
    const missing = remainingFault(ports.faults.of(item.stream), events.length - 1);
    if (missing) return resultOf(item, 'parked', missing.reason);
    const projection = projections.find(({ name }) => name === item.name);
    const [parked] = projection
      ? createProjector(projection).project(
          events,
          () => null,
          () => false,
        ).parked
      : [];
    return parked ? resultOf({ ...item, revision: parked.revision }, 'parked', parked.reason) : resultOf(item, 'released');
  } catch (error) {
    if (error instanceof BrokenHistory) return resultOf(item, 'parked', reasonOf(error));
    throw error;
  }
};
