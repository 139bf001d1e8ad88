import { pauseFor } from '../../runtime/following/pause.js';
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
  withDecision,
  without,
  type Fill,
  type Kept,
  type OperatorDecisions,
  type OperatorState,
} from '../../runtime/operating/operator-state.js';
import type { Ports } from '../command-ports.js';
import { RequestCommand, type RequestContext, type ResultOf } from '../request.js';
import { StateStore } from '../state/state-store.js';
import {
  act,
  actionKey,
  decide,
  inTurn,
  recordAction,
  type ActingPorts,
  type ActionKey,
  type Done,
  type KeyReason,
} from './operator-actions.js';

/** Milliseconds for which a replaced read model is kept, at most: a day. */
const KEPT = 86_400_000;

/**
 * Starts a second fill of a read model beside the one that queries read. When it has reached the end of the log and is equal, it replaces
 * the other one, unless `hold` is true (contract 43.6).
 */
export class RebuildProjection extends RequestCommand<
  'RebuildProjection',
  Done | Rejection<'projection_not_found' | 'projection_paused' | 'rebuild_running' | KeyReason>
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
  Done | Rejection<'projection_not_found' | 'projection_paused' | 'fill_not_ready' | 'nothing_kept' | KeyReason>
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
export class DropFill extends RequestCommand<'DropFill', Done | Rejection<'projection_not_found' | 'no_fill' | KeyReason>> {
  constructor(
    readonly projection: string,
    readonly reason: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

type SettlingFillPorts = ActingPorts & Ports<'fills'>;
type FillPorts = SettlingFillPorts & Ports<'identities'>;

const find = (name: string): Projection | undefined => projections.find((projection) => projection.name === name);
const why = (reason: string | undefined): { readonly reason?: string } => (reason === undefined ? {} : { reason });

export const rebuildProjection = async (
  ports: ActingPorts & Ports<'identities'>,
  { projection, hold, reason, request }: RebuildProjection,
): Promise<ResultOf<RebuildProjection>> => {
  const version = find(projection)?.version;
  if (version === undefined) return rejected('projection_not_found');
  const fill: Fill = { version, since: ports.clock.now().toISOString(), by: request.actor, hold, state: 'filling' };
  return act(ports, { operation: 'rebuildProjection', asked: { hold, ...why(reason) }, request, projection }, (state) => {
    if (state.paused?.[projection]) return rejected('projection_paused');
    if (state.fills?.[projection]?.version === version) return rejected('rebuild_running');
    return {
      event: { type: 'ProjectionRebuildStarted', data: { projection, version, hold, ...why(reason) } },
      // What an earlier fill has replaced makes room.
      next: { ...without(state, 'kept', projection), fills: { ...state.fills, [projection]: fill } },
    };
  });
};

export const switchProjection = async (
  ports: FillPorts,
  { projection, back, reason, request }: SwitchProjection,
): Promise<ResultOf<SwitchProjection>> => {
  const version = find(projection)?.version;
  if (version === undefined) return rejected('projection_not_found');
  const beside = back ? 'kept' : 'fill';
  const key = actionKey(ports, { operation: 'switchProjection', asked: { back, ...why(reason) }, request, projection });
  await ports.decisions.refresh();
  const earlier = key.check(ports.decisions.current());
  if (earlier) return earlier;
  if (ports.decisions.isPaused(projection)) return rejected('projection_paused');
  if (back && ports.decisions.current().kept?.[projection]?.version !== version) return rejected('nothing_kept');
  if (!(await hasReachedEnd(ports, projection, beside))) return rejected('fill_not_ready');
  if (key.isStale(ports.decisions.current())) return rejected('precondition_failed');
  const exchanged = await exchange(ports, { projection, version, beside, reason, key }, request);
  return exchanged ?? rejected(back ? 'nothing_kept' : 'fill_not_ready');
};

export const dropFill = async (
  ports: ActingPorts & Ports<'identities'>,
  { projection, reason, request }: DropFill,
): Promise<ResultOf<DropFill>> => {
  if (!find(projection)) return rejected('projection_not_found');
  return act(ports, { operation: 'dropFill', asked: { reason }, request, projection }, (state) => {
    const dropped = besideIn(state, projection);
    if (!dropped) return rejected('no_fill');
    return {
      event: { type: 'ProjectionFillDropped', data: { projection, dropped, reason } },
      next: without(state, dropped === 'fill' ? 'fills' : 'kept', projection),
    };
  });
};

/** Milliseconds for which a switch waits for a fill that was at the end of the log and is behind for a moment. */
const CATCH_UP = 2_000;

/** Returns whether a fill is at the end of the log. One that is filled for the first time takes long, so nobody waits for it. */
const hasReachedEnd = async ({ fills, clock, decisions }: FillPorts, projection: string, beside: Beside): Promise<boolean> => {
  const { state = 'filling' } = decisions.current().fills?.[projection] ?? {};
  const isFilled = beside === 'kept' || state !== 'filling';
  for (const begin = clock.elapsed(); ;) {
    if ((await fills.progress(projection, beside))?.hasReachedEnd) return true;
    if (!isFilled || clock.elapsed() - begin >= CATCH_UP) return false;
    await pauseFor(LOOK_EVERY, clock);
  }
};

const besideIn = ({ fills, kept }: OperatorState, projection: string): Beside | null =>
  fills?.[projection] ? 'fill' : kept?.[projection] ? 'kept' : null;

/** Drops what the service no longer needs, unless somebody has dropped it meanwhile. */
const drop = (
  ports: ActingPorts,
  projection: string,
  dropped: Beside,
  reason: string | undefined,
  request: RequestContext,
): Promise<void> =>
  inTurn(ports, async () => {
    const member = dropped === 'fill' ? 'fills' : 'kept';
    if (!ports.decisions.current()[member]?.[projection]) return;
    await recordAction(ports, { type: 'ProjectionFillDropped', data: { projection, dropped, ...why(reason) } }, request);
    await decide(ports, (state) => withDecision(without(state, member, projection), projection));
  });

type Exchange = {
  readonly projection: string;
  readonly version: number;
  readonly beside: Beside;
  readonly reason: string | undefined;
  /** Absent if the service exchanges. */
  readonly key?: ActionKey;
};

/** Returns whether operators still want what an exchange needs: they may have dropped or paused it meanwhile. */
const isWanted = ({ paused, fills, kept }: OperatorState, { projection, version, beside }: Exchange): boolean =>
  paused?.[projection] === undefined && (beside === 'fill' ? fills : kept)?.[projection]?.version === version;

/** Exchanges what queries read, together with the state that says what is kept. Returns null if that is no longer wanted. */
const exchange = (ports: SettlingFillPorts, wanted: Exchange, request: RequestContext): Promise<Done | Rejection<KeyReason> | null> =>
  inTurn(ports, async () => {
    const { projection, version, beside, reason, key } = wanted;
    const { documents, decisions, fills, clock, ids } = ports;
    const id = ids.next();
    const earlier = key?.check(decisions.current());
    if (earlier) return earlier;
    if (!isWanted(decisions.current(), wanted)) return null;
    if (key?.isStale(decisions.current())) return rejected('precondition_failed');
    await recordAction(
      ports,
      { type: 'ProjectionSwitched', data: { projection, version, back: beside === 'kept', ...why(reason) } },
      request,
    );
    const states = new StateStore<OperatorState>(documents, OPERATOR_STATE);
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      const stored = await states.get(OPERATOR_STATE_KEY);
      const value = stored?.value ?? {};
      if (value.kept?.[projection]?.exchange === id) break;
      if (!isWanted(value, wanted)) return null;
      const changed = exchanged(value, { ...wanted, id, now: clock.now() });
      const json = JSON.stringify(key?.remember(changed) ?? changed);
      const document = { key: OPERATOR_STATE_KEY, json, fields: {}, revision: (stored?.version ?? 0) + 1 };
      const put = { kind: 'put', collection: OPERATOR_STATE, document, expected: stored?.version ?? 'none' } as const;
      if (await fills.exchange(projection, beside, put)) break;
      if (attempt === MAX_ATTEMPTS)
        throw new StoreUnavailable(
          `the read model ${projection} could not be switched: its fill is behind, or others decide at the same time`,
        );
      // Another process has decided, or the fill is behind for a moment.
      await pauseFor(LOOK_EVERY, clock);
    }
    await decisions.refresh();
    return { replayed: false };
  });

/** Returns the state after an exchange: what queries read until then is kept. */
const exchanged = (
  state: OperatorState,
  { projection, version, beside, id, now }: Exchange & { readonly id: string; readonly now: Date },
): OperatorState => {
  const { until = new Date(now.getTime() + KEPT).toISOString(), isFill } = state.kept?.[projection] ?? {};
  const kept: Kept = { version, until, exchange: id, ...(beside === 'kept' && !isFill && { isFill: true }) };
  return withDecision({ ...without(state, 'fills', projection), kept: { ...state.kept, [projection]: kept } }, projection);
};

const LOOK_EVERY = 100;

/** Lets fills that are complete replace their read models, and drops what is no longer wanted. */
export type SettleFills = Message<'SettleFills', null>;

/**
 * Compares the fills that have reached the end of the log, and lets those replace their read models that are equal and not held. Drops
 * what was kept for a day, and fills of versions that are no longer used. A repeated call does nothing.
 */
export const settleFills = async (ports: SettlingFillPorts): Promise<null> => {
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
