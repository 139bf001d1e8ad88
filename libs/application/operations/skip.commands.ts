import { isRejection, rejected, type Rejection } from '../../eventsourcing/decider.js';
import { projections } from '../../projections/projections.js';
import { withRetries, without, type OperatorState, type SkippedEvent } from '../../runtime/operating/operator-state.js';
import type { Ports } from '../command-ports.js';
import { RequestCommand, type RequestContext, type ResultOf } from '../request.js';
import { act, type ActingPorts, type Done, type KeyReason } from './operator-actions.js';
import { waitForRetries } from './parked.commands.js';
import { readParked, type ParkedItem } from './parked.queries.js';

/** The maximum number of skipped events. Every process reads all of them each second. A few more are possible at the same time. */
export const MAX_SKIPPED = 1_000;

/** What is skipped: an event, for one read model or consumer. */
export type Skip = Pick<SkippedEvent, 'name' | 'stream' | 'revision'>;

/**
 * What came of it: the stream no longer waits, or it is parked at the event of another revision with its error, or no process that runs
 * has retried it yet.
 */
export type SkipResult = Skip & Done & { readonly outcome: 'released' | 'parked' | 'waiting'; readonly error?: string };

/**
 * Lets the read model or consumer that has parked an event leave it out, and retries. The event stays in the log, and decisions know it
 * (contract 43.8). A repeated request changes and records nothing.
 */
export class SkipEvent extends RequestCommand<
  'SkipEvent',
  SkipResult | Rejection<'not_parked' | 'stream_broken' | Obstacle | 'too_many_skipped' | KeyReason>
> {
  constructor(
    readonly skip: Skip,
    readonly reason: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/** Lets a read model contain an event that was skipped: it folds the stream again from its first event (contract 43.8). */
export class UnskipEvent extends RequestCommand<'UnskipEvent', SkipResult | Rejection<'not_skipped' | Obstacle | KeyReason>> {
  constructor(
    readonly skip: Skip,
    readonly reason: string | undefined,
    readonly request: RequestContext,
  ) {
    super();
  }
}

type SkippingPorts = ActingPorts & Ports<'identities' | 'parked' | 'faults' | 'store'>;
export const skipEvent = async (ports: SkippingPorts, { skip, reason, request }: SkipEvent): Promise<ResultOf<SkipEvent>> => {
  const { faults, clock, store } = ports;
  const { items } = await readParked(ports, skip);
  const isParked = items.some((item) => item.revision === skip.revision && canSkip(item));
  const isBroken = faults.of(skip.stream) !== undefined;
  const [event] = await store.readStream(skip.stream, skip.revision, 1);
  const skipped = { ...skip, ...(event && { id: event.id }), since: clock.now().toISOString(), by: request.actor, reason };
  const done = await act(ports, { operation: 'skipEvent', asked: { ...skip, reason }, request }, (state) => {
    if (isSkipped(state, skip)) return { next: state };
    if (!isParked) return rejected('not_parked');
    if (isBroken) return rejected('stream_broken');
    if ((state.skipped?.length ?? 0) >= MAX_SKIPPED) return rejected('too_many_skipped');
    const obstacle = obstacleTo(state, skip);
    return obstacle ? rejected(obstacle) : { event: { type: 'EventSkipped', data: { ...skip, reason } }, next: skipping(state, skipped) };
  });
  return isRejection(done) ? done : outcomeOf(ports, skip, done);
};

export const unskipEvent = async (ports: SkippingPorts, { skip, reason, request }: UnskipEvent): Promise<ResultOf<UnskipEvent>> => {
  const why = reason === undefined ? {} : { reason };
  const done = await act(ports, { operation: 'unskipEvent', asked: { ...skip, ...why }, request }, (state) => {
    if (!isSkipped(state, skip)) return rejected('not_skipped');
    const obstacle = obstacleTo(state, skip);
    return obstacle ? rejected(obstacle) : { event: { type: 'EventUnskipped', data: { ...skip, ...why } }, next: unskipping(state, skip) };
  });
  return isRejection(done) ? done : outcomeOf(ports, skip, done);
};

/** Returns whether a read model of this release or a consumer has parked the item. */
const canSkip = ({ kind, name }: ParkedItem): boolean => kind === 'key' || (kind === 'stream' && isProjection(name));

const isProjection = (name: string): boolean => projections.some((projection) => projection.name === name);

const isSame = (one: Skip, other: Skip): boolean =>
  one.name === other.name && one.stream === other.stream && one.revision === other.revision;

const isSkipped = ({ skipped = [] }: OperatorState, skip: Skip): boolean => skipped.some((other) => isSame(other, skip));

/** Why what is skipped cannot change: a fill would not know what to fold again, and a paused read model does not. */
type Obstacle = 'rebuild_running' | 'projection_paused';

const obstacleTo = ({ fills, paused }: OperatorState, { name }: Skip): Obstacle | null =>
  fills?.[name] ? 'rebuild_running' : paused?.[name] ? 'projection_paused' : null;

const skipping = ({ skipped = [], ...state }: OperatorState, event: SkippedEvent): OperatorState =>
  foldingAgain({ ...state, skipped: [...skipped, event] }, event);

const unskipping = ({ skipped = [], ...state }: OperatorState, skip: Skip): OperatorState => {
  const left = skipped.filter((other) => !isSame(other, skip));
  return foldingAgain(left.length > 0 ? { ...state, skipped: left } : state, skip);
};

/** Has the stream retried, and folded again if a read model has it. What a fill has replaced before makes room. */
const foldingAgain = (state: OperatorState, { name, stream }: Skip): OperatorState => {
  const next = without(withRetries(state, [name]), 'kept', name);
  if (!isProjection(name)) return next;
  const refolds = { ...next.refolds?.[name], [stream]: next.retries?.[name] ?? 0 };
  return { ...next, refolds: { ...next.refolds, [name]: refolds } };
};

/** Waits until the stream was retried, and returns what came of it. */
const outcomeOf = async (ports: SkippingPorts, { name, stream, revision }: Skip, { replayed }: Done): Promise<SkipResult> => {
  const unmet = await waitForRetries(ports, new Set([name]));
  const { items } = await readParked(ports, { name, stream });
  const [parked] = items;
  if (unmet.has(name)) return { name, stream, revision, outcome: 'waiting', replayed };
  if (!parked) return { name, stream, revision, outcome: 'released', replayed };
  return { name, stream, revision: parked.revision, outcome: 'parked', error: parked.error, replayed };
};
