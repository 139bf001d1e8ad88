import { pauseFor } from '../../runtime/following/pause.js';
import type { OperatorEvent } from '../../domain/operations/operator-actions.js';
import { dayOf } from '../../eventsourcing/day.js';
import { isRejection, rejected, type Rejection } from '../../eventsourcing/decider.js';
import { SHARED_POOL } from '../../eventsourcing/message.js';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import {
  decisionTag,
  OPERATOR_STATE,
  OPERATOR_STATE_KEY,
  withDecision,
  type OperatorState,
} from '../../runtime/operating/operator-state.js';
import { OPERATIONS_OF_DAY } from '../aggregates.js';
import type { Ports } from '../command-ports.js';
import { commandContext, type RequestContext } from '../request.js';
import { StateStore } from '../state/state-store.js';

/** The action concerns the whole store, also if an operator without a tenant names one. */
export const ofWholeStore = (request: RequestContext): RequestContext => ({ ...request, tenant: SHARED_POOL });

/** Records what an operator did (contract 43.1). It is durable when the promise resolves. Rejects with StoreUnavailable. */
export const recordAction = async (
  { aggregates, clock }: Ports<'aggregates' | 'clock'>,
  event: OperatorEvent,
  request: RequestContext,
): Promise<void> => {
  const outcome = await aggregates.handle(OPERATIONS_OF_DAY, dayOf(clock.now()), event, commandContext(ofWholeStore(request)));
  if (isRejection(outcome)) throw new StoreUnavailable(`could not record ${event.type}: ${outcome.rejected}`);
};

/**
 * Changes what processes follow. This process follows it when the promise resolves, and the others within a second. Record the action
 * before, so that whatever is in force has its event. Changes nothing and returns the rejection if `change` returns one. Rejects with
 * StoreUnavailable.
 */
export const decide = async <Reason extends string = never>(
  { documents, decisions }: Ports<'documents' | 'decisions'>,
  change: (state: OperatorState) => OperatorState | Rejection<Reason>,
): Promise<Rejection<Reason> | null> => {
  const states = new StateStore<OperatorState>(documents, OPERATOR_STATE);
  let refused: Rejection<Reason> | null = null;
  const outcome = await states.change(OPERATOR_STATE_KEY, (stored) => {
    const before = stored?.value ?? {};
    const value = change(before);
    refused = isRejection(value) ? value : null;
    return isRejection(value) || value === before ? null : { value, fields: {} };
  });
  if (outcome === 'contended') throw new StoreUnavailable('other operators decide at the same time');
  await decisions.refresh();
  return refused;
};

/** An action of an operator that takes effect once for each Idempotency-Key (contract 43.1). */
export type KeyedRequest = {
  /** The operationId. */
  readonly operation: string;
  /** What the request asks for. Its keyed digest is stored. */
  readonly asked: object;
  readonly request: RequestContext;
  /** The projection about which it decides: its tag must meet If-Match and If-None-Match. */
  readonly projection?: string;
};

/** What an action comes to in a state: the event to record, or none if there is nothing to do, and the state after it. */
export type Planned = { readonly event?: OperatorEvent; readonly next: OperatorState };

/** What was done. `replayed`: an earlier request with the same key did it. */
export type Done = { readonly replayed: boolean };

/** Why an action is refused besides its own rules: another body had its key, or the read model has changed since what If-Match names. */
export type KeyReason = 'idempotency_key_reused' | 'precondition_failed';

/** Milliseconds for which keys are known: a day. Every process reads all of them each second, so they are not many. */
const KEYS_KNOWN = 86_400_000;
const MAX_KEYS = 200;

/**
 * Knows whether an action has been done already. `check` returns null if it has not, and `remember` the state that knows it. `isStale`
 * says whether the read model has changed since the tag in If-Match.
 */
export type ActionKey = {
  /** Follows from the key, the caller and the operation; without a key another one each time. */
  readonly id: string;
  readonly check: (state: OperatorState) => Done | Rejection<KeyReason> | null;
  readonly isStale: (state: OperatorState) => boolean;
  readonly remember: (state: OperatorState) => OperatorState;
};

export const actionKey = (
  { identities, clock }: Ports<'identities' | 'clock'>,
  { operation, asked, request, projection }: KeyedRequest,
): ActionKey => {
  const { id, bodyDigest } = identities.of(operation, ofWholeStore(request), { ...asked, projection });
  const meets = ({ ifMatch, ifNoneMatch }: RequestContext, tag: string): boolean =>
    (ifMatch?.includes(tag) ?? true) && ifNoneMatch !== 'any' && !ifNoneMatch?.includes(tag);
  return {
    id,
    check(state) {
      const earlier = state.acted?.find((one) => one.id === id);
      if (!earlier) return null;
      return earlier.bodyDigest === bodyDigest ? { replayed: true } : rejected('idempotency_key_reused');
    },
    isStale: (state) => projection !== undefined && !meets(request, decisionTag(state, projection)),
    remember(state) {
      if (bodyDigest === undefined) return state;
      const now = clock.now();
      const oldest = new Date(now.getTime() - KEYS_KNOWN).toISOString();
      const known = (state.acted ?? []).filter(({ at }) => at > oldest).slice(1 - MAX_KEYS);
      return { ...state, acted: [...known, { id, at: now.toISOString(), bodyDigest }] };
    },
  };
};

/** Milliseconds for which an action has its turn, at most: the process that began it may have ended. */
const TURN = 10_000;
const LOOK_EVERY = 50;

export type ActingPorts = Ports<'aggregates' | 'clock' | 'documents' | 'decisions' | 'ids'>;

/**
 * Runs an action while no other one runs, in any process: what is recorded is then not refused because of what another operator decides
 * at the same moment. Rejects with StoreUnavailable after the time of two turns.
 */
export const inTurn = async <Result>(ports: ActingPorts, work: () => Promise<Result>): Promise<Result> => {
  const { clock, ids } = ports;
  const id = ids.next();
  const begin = clock.elapsed();
  for (;;) {
    const now = clock.now();
    let isMine = false;
    await decide(ports, (state) => {
      isMine = state.turn === undefined || state.turn.until <= now.toISOString();
      return isMine ? { ...state, turn: { id, until: new Date(now.getTime() + TURN).toISOString() } } : state;
    });
    if (isMine) break;
    if (clock.elapsed() - begin > 2 * TURN) throw new StoreUnavailable('other operators act at the same time');
    await pauseFor(LOOK_EVERY, clock);
  }
  try {
    return await work();
  } finally {
    await decide(ports, (state) => {
      const { turn, ...others } = state;
      return turn?.id === id ? others : state;
    });
  }
};

/**
 * Records an action and lets it take effect, once for each Idempotency-Key. `plan` decides it in a state: it is called again if other
 * processes decide at the same time.
 */
export const act = async <Reason extends string = never>(
  ports: ActingPorts & Ports<'identities'>,
  keyed: KeyedRequest,
  plan: (state: OperatorState) => Planned | Rejection<Reason>,
  key: ActionKey = actionKey(ports, keyed),
): Promise<Done | Rejection<Reason | KeyReason>> => {
  const planned = (): Planned | Done | Rejection<Reason | KeyReason> => {
    const state = ports.decisions.current();
    const earlier = key.check(state);
    if (earlier) return earlier;
    const now = plan(state);
    if (!isRejection(now) && key.isStale(state)) return rejected('precondition_failed');
    const isNothing = !isRejection(now) && now.event === undefined && keyed.request.idempotencyKey === undefined;
    return isNothing ? { replayed: false } : now;
  };
  await ports.decisions.refresh();
  const first = planned();
  // Refused, done before, or nothing to do: nothing is written.
  if (!('next' in first)) return first;
  return inTurn(ports, async () => {
    const now = planned();
    if (!('next' in now)) return now;
    if (now.event) await recordAction(ports, now.event, keyed.request);
    const refused = await decide<Reason>(ports, (state) => {
      const again = plan(state);
      if (isRejection(again)) return again;
      const { projection } = keyed;
      return key.remember(projection === undefined || !again.event ? again.next : withDecision(again.next, projection));
    });
    return refused ?? { replayed: false };
  });
};
