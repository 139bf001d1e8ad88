import { rejected, type Rejection } from '../../eventsourcing/decider.js';
import { MAX_ATTEMPTS } from '../../eventsourcing/handle.js';
import { SHARED_POOL, type Message } from '../../eventsourcing/message.js';
import type { Beside } from '../../eventsourcing/ports/fills.port.js';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import type { Projection } from '../../eventsourcing/projection.js';
import { projections } from '../../projections/projections.js';
import { repeat, type RepeatOptions } from '../../runtime/following/repeat.js';
import {
  OPERATOR_STATE,
  OPERATOR_STATE_KEY,
  without,
  type Fill,
  type OperatorDecisions,
  type OperatorState,
} from '../../runtime/operating/operator-state.js';
import type { Ports } from '../command-ports.js';
import { RequestCommand, type RequestContext, type ResultOf } from '../request.js';
import { StateStore } from '../state/state-store.js';
import { decide, recordAction } from './operator-actions.js';

/** Milliseconds for which a replaced read model is kept, at most: a day. */
const KEPT = 86_400_000;

/**
 * Starts a second fill of a read model beside the one that queries read. When it has reached the end of the log and is equal, it replaces
 * the other one, unless `hold` is true (contract 43.6).
 */
export class RebuildProjection extends RequestCommand<
  'RebuildProjection',
  null | Rejection<'projection_not_found' | 'projection_paused' | 'rebuild_running'>
> {
  constructor(
    readonly projection: string,
    readonly hold: boolean,
    readonly reason: string | undefined,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/** Lets queries read the fill, or with `back` what it has replaced (contract 43.7). */
export class SwitchProjection extends RequestCommand<
  'SwitchProjection',
  null | Rejection<'projection_not_found' | 'projection_paused' | 'fill_not_ready' | 'nothing_kept'>
> {
  constructor(
    readonly projection: string,
    readonly back: boolean,
    readonly reason: string | undefined,
    readonly request: RequestContext,
  ) {
    super();
  }
}

/** Removes the fill or, if there is none, what a fill has replaced (contract 43.7). */
export class DropFill extends RequestCommand<'DropFill', null | Rejection<'projection_not_found' | 'no_fill'>> {
  constructor(
    readonly projection: string,
    readonly reason: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

type ActingPorts = Ports<'aggregates' | 'clock' | 'documents' | 'decisions'>;
type FillPorts = ActingPorts & Ports<'fills' | 'ids'>;

const find = (name: string): Projection | undefined => projections.find((projection) => projection.name === name);
const why = (reason: string | undefined): { readonly reason?: string } => (reason === undefined ? {} : { reason });

export const rebuildProjection = async (
  ports: ActingPorts,
  { projection, hold, reason, request }: RebuildProjection,
): Promise<ResultOf<RebuildProjection>> => {
  const version = find(projection)?.version;
  if (version === undefined) return rejected('projection_not_found');
  await ports.decisions.refresh();
  if (ports.decisions.isPaused(projection)) return rejected('projection_paused');
  if (fillOf(ports.decisions, projection)) return rejected('rebuild_running');
  await recordAction(ports, { type: 'ProjectionRebuildStarted', data: { projection, version, hold, ...why(reason) } }, request);
  const fill: Fill = { version, since: ports.clock.now().toISOString(), by: request.actor, hold, state: 'filling' };
  // What an earlier fill has replaced makes room.
  await decide(ports, (state) => ({ ...without(state, 'kept', projection), fills: { ...state.fills, [projection]: fill } }));
  return null;
};

export const switchProjection = async (
  ports: FillPorts,
  { projection, back, reason, request }: SwitchProjection,
): Promise<ResultOf<SwitchProjection>> => {
  const version = find(projection)?.version;
  if (version === undefined) return rejected('projection_not_found');
  await ports.decisions.refresh();
  if (ports.decisions.isPaused(projection)) return rejected('projection_paused');
  const beside = back ? 'kept' : 'fill';
  if (back && ports.decisions.current().kept?.[projection]?.version !== version) return rejected('nothing_kept');
  if (!(await ports.fills.progress(projection, beside))?.hasReachedEnd) return rejected('fill_not_ready');
  const isExchanged = await exchange(ports, { projection, version, beside, reason }, request);
  return isExchanged ? null : rejected(back ? 'nothing_kept' : 'fill_not_ready');
};

export const dropFill = async (ports: ActingPorts, { projection, reason, request }: DropFill): Promise<ResultOf<DropFill>> => {
  if (!find(projection)) return rejected('projection_not_found');
  await ports.decisions.refresh();
  const dropped = besideIn(ports.decisions.current(), projection);
  if (!dropped) return rejected('no_fill');
  await drop(ports, projection, dropped, reason, request);
  return null;
};

/** Returns the fill of the version of this release. */
const fillOf = (decisions: Pick<OperatorDecisions, 'current'>, projection: string): Fill | undefined => {
  const fill = decisions.current().fills?.[projection];
  return fill?.version === find(projection)?.version ? fill : undefined;
};

const besideIn = ({ fills, kept }: OperatorState, projection: string): Beside | null =>
  fills?.[projection] ? 'fill' : kept?.[projection] ? 'kept' : null;

const drop = async (
  ports: ActingPorts,
  projection: string,
  dropped: Beside,
  reason: string | undefined,
  request: RequestContext,
): Promise<void> => {
  await recordAction(ports, { type: 'ProjectionFillDropped', data: { projection, dropped, ...why(reason) } }, request);
  await decide(ports, (state) => without(state, dropped === 'fill' ? 'fills' : 'kept', projection));
};

type Exchange = { readonly projection: string; readonly version: number; readonly beside: Beside; readonly reason: string | undefined };

/** Returns whether operators still want what an exchange needs: they may have dropped or paused it meanwhile. */
const isWanted = ({ paused, fills, kept }: OperatorState, { projection, version, beside }: Exchange): boolean =>
  paused?.[projection] === undefined && (beside === 'fill' ? fills : kept)?.[projection]?.version === version;

/** Exchanges what queries read, together with the state that says what is kept. Returns false if that is no longer wanted. */
const exchange = async (ports: FillPorts, wanted: Exchange, request: RequestContext): Promise<boolean> => {
  const { projection, version, beside, reason } = wanted;
  const { documents, decisions, fills, clock, ids } = ports;
  const id = ids.next();
  await decisions.refresh();
  if (!isWanted(decisions.current(), wanted)) return false;
  await recordAction(
    ports,
    { type: 'ProjectionSwitched', data: { projection, version, back: beside === 'kept', ...why(reason) } },
    request,
  );
  const states = new StateStore<OperatorState>(documents, OPERATOR_STATE);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
    const stored = await states.get(OPERATOR_STATE_KEY);
    const value = stored?.value ?? {};
    if (value.kept?.[projection]?.exchange === id) return decisions.refresh().then(() => true);
    if (!isWanted(value, wanted)) return false;
    const until = value.kept?.[projection]?.until ?? new Date(clock.now().getTime() + KEPT).toISOString();
    const changed: OperatorState = {
      ...without(value, 'fills', projection),
      kept: { ...value.kept, [projection]: { version, until, exchange: id } },
    };
    const document = { key: OPERATOR_STATE_KEY, json: JSON.stringify(changed), fields: {}, revision: (stored?.version ?? 0) + 1 };
    const put = { kind: 'put', collection: OPERATOR_STATE, document, expected: stored?.version ?? 'none' } as const;
    if (await fills.exchange(projection, beside, put)) return decisions.refresh().then(() => true);
    // Another operator has decided, or the fill is behind for a moment.
    await new Promise<void>((resolve) => void clock.after(LOOK_EVERY, resolve));
  }
  throw new StoreUnavailable(`the read model ${projection} could not be switched: its fill is behind, or others decide at the same time`);
};

const LOOK_EVERY = 100;

/** Lets fills that are complete replace their read models, and drops what is no longer wanted. */
export type SettleFills = Message<'SettleFills', null>;

/**
 * Compares the fills that have reached the end of the log, and lets those replace their read models that are equal and not held. Drops
 * what was kept for a day, and fills of versions that are no longer used. A repeated call does nothing.
 */
export const settleFills = async (ports: FillPorts): Promise<null> => {
  const { decisions, fills, clock, ids } = ports;
  const request: RequestContext = { tenant: SHARED_POOL, actor: 'process:projections', requestId: ids.next() };
  for (const { name, version } of projections) {
    const { fills: { [name]: fill } = {}, kept: { [name]: kept } = {} } = decisions.current();
    if (fill && fill.version < version) await drop(ports, name, 'fill', 'a release has raised the version', request);
    else if (kept && (kept.version < version || kept.until <= clock.now().toISOString()))
      await drop(ports, name, 'kept', undefined, request);
    if (fill?.version !== version || fill.state !== 'filling' || decisions.isPaused(name)) continue;
    const progress = await fills.progress(name, 'fill');
    if (!progress?.hasReachedEnd) continue;
    const difference = await fills.compare(name, progress.position);
    if (difference === undefined) continue;
    if (difference === null && !fill.hold) await exchange(ports, { projection: name, version, beside: 'fill', reason: undefined }, request);
    else {
      const compared: Fill = { ...fill, state: difference === null ? 'held' : 'differs', ...(difference !== null && { difference }) };
      await decide(ports, (state) => (state.fills?.[name] ? { ...state, fills: { ...state.fills, [name]: compared } } : state));
    }
  }
  return null;
};

/** Milliseconds between two looks at the fills, while there are some. */
const SETTLE_EVERY = 1_000;

type SettlingPorts = Pick<RepeatOptions, 'clock' | 'onError'> & {
  readonly decisions: Pick<OperatorDecisions, 'current'>;
  readonly settle: () => Promise<unknown>;
};

/** Settles fills while there are some. Returns a function that ends that, and waits for the current run. */
export const startSettlingFills = ({ clock, onError, decisions, settle }: SettlingPorts): (() => Promise<void>) => {
  const work = async (): Promise<number> => {
    const { fills, kept } = decisions.current();
    if (fills ?? kept) await settle();
    return SETTLE_EVERY;
  };
  return repeat({ clock, firstDelay: SETTLE_EVERY, work, failureDelay: SETTLE_EVERY, onError });
};
