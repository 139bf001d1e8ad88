import { rejected, type Rejection } from '../../eventsourcing/decider.js';
import { projections } from '../../projections/projections.js';
import { withRetries, without, type OperatorState, type SkippedEvent } from '../../runtime/operating/operator-state.js';
import type { Ports } from '../command-ports.js';
import { RequestCommand, type RequestContext, type ResultOf } from '../request.js';
import { decide, recordAction } from './operator-actions.js';
import { waitForRetries } from './parked.commands.js';
import { readParked } from './parked.queries.js';

/** The maximum number of skipped events. Every process reads all of them each second. */
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
  SkipResult | Rejection<'not_parked' | 'stream_broken' | 'rebuild_running' | 'too_many_skipped'>
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
export class UnskipEvent extends RequestCommand<'UnskipEvent', SkipResult | Rejection<'not_skipped' | 'rebuild_running'>> {
  constructor(
    readonly skip: Skip,
    readonly reason: string | undefined,
    readonly request: RequestContext,
  ) {
    super();
  }
}

type SkippingPorts = Ports<'aggregates' | 'clock' | 'documents' | 'decisions' | 'parked' | 'faults'>;

export const skipEvent = async (ports: SkippingPorts, { skip, reason, request }: SkipEvent): Promise<ResultOf<SkipEvent>> => {
  const { decisions, faults, clock } = ports;
  await decisions.refresh();
  if (!isSkipped(decisions.current(), skip)) {
    const { items } = await readParked(ports, skip);
    if (!items.some(({ kind, revision }) => kind !== 'delivery' && revision === skip.revision)) return rejected('not_parked');
    if (faults.of(skip.stream)) return rejected('stream_broken');
    const obstacle = obstacleTo(decisions.current(), skip);
    if (obstacle) return rejected(obstacle);
    await recordAction(ports, { type: 'EventSkipped', data: { ...skip, reason } }, request);
    const skipped = { ...skip, since: clock.now().toISOString(), by: request.actor, reason };
    await decide(ports, (state) => (obstacleTo(state, skip) ? state : skipping(state, skipped)));
    // Another operator may have decided meanwhile.
    const later = isSkipped(decisions.current(), skip) ? null : obstacleTo(decisions.current(), skip);
    if (later) return rejected(later);
  }
  return outcomeOf(ports, skip);
};

export const unskipEvent = async (ports: SkippingPorts, { skip, reason, request }: UnskipEvent): Promise<ResultOf<UnskipEvent>> => {
  const { decisions } = ports;
  await decisions.refresh();
  if (!isSkipped(decisions.current(), skip)) return rejected('not_skipped');
  if (decisions.current().fills?.[skip.name]) return rejected('rebuild_running');
  const why = reason === undefined ? {} : { reason };
  await recordAction(ports, { type: 'EventUnskipped', data: { ...skip, ...why } }, request);
  await decide(ports, (state) => (state.fills?.[skip.name] ? state : unskipping(state, skip)));
  if (isSkipped(decisions.current(), skip)) return rejected('rebuild_running');
  return outcomeOf(ports, skip);
};

const isSame = (one: Skip, other: Skip): boolean =>
  one.name === other.name && one.stream === other.stream && one.revision === other.revision;

const isSkipped = ({ skipped = [] }: OperatorState, skip: Skip): boolean => skipped.some((other) => isSame(other, skip));

/** A fill would not know which of its documents to fold again. */
const obstacleTo = ({ fills, skipped = [] }: OperatorState, { name }: Skip): 'rebuild_running' | 'too_many_skipped' | null =>
  fills?.[name] ? 'rebuild_running' : skipped.length >= MAX_SKIPPED ? 'too_many_skipped' : null;

const skipping = (state: OperatorState, event: SkippedEvent): OperatorState =>
  isSkipped(state, event) ? state : foldingAgain({ ...state, skipped: [...(state.skipped ?? []), event] }, event);

const unskipping = ({ skipped = [], ...state }: OperatorState, skip: Skip): OperatorState => {
  const left = skipped.filter((other) => !isSame(other, skip));
  return foldingAgain(left.length > 0 ? { ...state, skipped: left } : state, skip);
};

/** Has the stream retried, and folded again if a read model has it. What a fill has replaced before makes room. */
const foldingAgain = (state: OperatorState, { name, stream }: Skip): OperatorState => {
  const next = without(withRetries(state, [name]), 'kept', name);
  if (!projections.some((projection) => projection.name === name)) return next;
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
