import { rejected, type Rejection } from '../../eventsourcing/decider.js';
import { projections } from '../../projections/projections.js';
import { withRetries, without, type OperatorState, type SkippedEvent } from '../../runtime/operating/operator-state.js';
import type { Ports } from '../command-ports.js';
import { RequestCommand, type RequestContext, type ResultOf } from '../request.js';
import { decide, recordAction } from './operator-actions.js';
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
export type SkipResult = Skip & { readonly outcome: 'released' | 'parked' | 'waiting'; readonly error?: string };

/**
 * Lets the read model or consumer that has parked an event leave it out, and retries. The event stays in the log, and decisions know it
 * (contract 43.8). A repeated request changes and records nothing.
 */
export class SkipEvent extends RequestCommand<
  'SkipEvent',
  SkipResult | Rejection<'not_parked' | 'stream_broken' | Obstacle | 'too_many_skipped'>
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
export class UnskipEvent extends RequestCommand<'UnskipEvent', SkipResult | Rejection<'not_skipped' | Obstacle>> {
  constructor(
    readonly skip: Skip,
    readonly reason: string | undefined,
    readonly request: RequestContext,
  ) {
    super();
  }
}

type SkippingPorts = Ports<'aggregates' | 'clock' | 'documents' | 'decisions' | 'parked' | 'faults' | 'store'>;

export const skipEvent = async (ports: SkippingPorts, { skip, reason, request }: SkipEvent): Promise<ResultOf<SkipEvent>> => {
  const { decisions, faults, clock, store } = ports;
  await decisions.refresh();
  const now = decisions.current();
  if (isSkipped(now, skip)) return outcomeOf(ports, skip);
  const { items } = await readParked(ports, skip);
  if (!items.some((item) => item.revision === skip.revision && canSkip(item))) return rejected('not_parked');
  if (faults.of(skip.stream)) return rejected('stream_broken');
  if ((now.skipped?.length ?? 0) >= MAX_SKIPPED) return rejected('too_many_skipped');
  const obstacle = obstacleTo(now, skip);
  if (obstacle) return rejected(obstacle);
  const [event] = await store.readStream(skip.stream, skip.revision, 1);
  await recordAction(ports, { type: 'EventSkipped', data: { ...skip, reason } }, request);
  const skipped = { ...skip, ...(event && { id: event.id }), since: clock.now().toISOString(), by: request.actor, reason };
  const refused = await decideUnless(ports, skip, (state) => (isSkipped(state, skip) ? state : skipping(state, skipped)));
  return refused ? rejected(refused) : outcomeOf(ports, skip);
};

export const unskipEvent = async (ports: SkippingPorts, { skip, reason, request }: UnskipEvent): Promise<ResultOf<UnskipEvent>> => {
  const { decisions } = ports;
  await decisions.refresh();
  if (!isSkipped(decisions.current(), skip)) return rejected('not_skipped');
  const obstacle = obstacleTo(decisions.current(), skip);
  if (obstacle) return rejected(obstacle);
  const why = reason === undefined ? {} : { reason };
  await recordAction(ports, { type: 'EventUnskipped', data: { ...skip, ...why } }, request);
  const refused = await decideUnless(ports, skip, (state) => unskipping(state, skip));
  return refused ? rejected(refused) : outcomeOf(ports, skip);
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

/** Changes what is skipped, unless other operators have decided meanwhile what forbids that. */
const decideUnless = async (
  ports: SkippingPorts,
  skip: Skip,
  change: (state: OperatorState) => OperatorState,
): Promise<Obstacle | null> => {
  let obstacle: Obstacle | null = null;
  await decide(ports, (state) => {
    obstacle = obstacleTo(state, skip);
    return obstacle ? state : change(state);
  });
  return obstacle;
};

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
const outcomeOf = async (ports: SkippingPorts, { name, stream, revision }: Skip): Promise<SkipResult> => {
  const unmet = await waitForRetries(ports, new Set([name]));
  const { items } = await readParked(ports, { name, stream });
  const [parked] = items;
  if (unmet.has(name)) return { name, stream, revision, outcome: 'waiting' };
  if (!parked) return { name, stream, revision, outcome: 'released' };
  return { name, stream, revision: parked.revision, outcome: 'parked', error: parked.error };
};
