import type { OperatorEvent } from '../../domain/operations/operator-actions.js';
import { dayOf } from '../../eventsourcing/day.js';
import { isRejection, rejected, type Rejection } from '../../eventsourcing/decider.js';
import { SHARED_POOL } from '../../eventsourcing/message.js';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import { decisionTag, OPERATOR_STATE, OPERATOR_STATE_KEY, type OperatorState } from '../../runtime/operating/operator-state.js';
import { OPERATIONS_OF_DAY } from '../aggregates.js';
import type { Ports } from '../command-ports.js';
import { commandContext, type RequestContext } from '../request.js';
import { StateStore } from '../state/state-store.js';

/** Records what an operator did (contract 43.1). It is durable when the promise resolves. Rejects with StoreUnavailable. */
export const recordAction = async (
  { aggregates, clock }: Ports<'aggregates' | 'clock'>,
  event: OperatorEvent,
  request: RequestContext,
): Promise<void> => {
  // The action concerns the whole store, also if an operator without a tenant names one.
  const context = commandContext({ ...request, tenant: SHARED_POOL });
  const outcome = await aggregates.handle(OPERATIONS_OF_DAY, dayOf(clock.now()), event, context);
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
    const value = change(stored?.value ?? {});
    refused = isRejection(value) ? value : null;
    return isRejection(value) ? null : { value, fields: {} };
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

/** Why an action is refused before its own rules: another body had its key, or somebody has acted since what If-Match names. */
export type KeyReason = 'idempotency_key_reused' | 'precondition_failed';

/** Milliseconds for which keys are known: a day. Every process reads all of them each second, so they are not many. */
const KEYS_KNOWN = 86_400_000;
const MAX_KEYS = 200;

/** Knows whether an action has been done already. `check` returns null if it has not, and `remember` the state that knows it. */
export type ActionKey = {
  readonly check: (state: OperatorState) => Done | Rejection<KeyReason> | null;
  readonly remember: (state: OperatorState) => OperatorState;
};

export const actionKey = (
  { identities, clock }: Ports<'identities' | 'clock'>,
  { operation, asked, request, projection }: KeyedRequest,
): ActionKey => {
  const { id, bodyDigest } = identities.of(operation, request, { ...asked, projection });
  const meets = ({ ifMatch, ifNoneMatch }: RequestContext, tag: string): boolean =>
    (ifMatch?.includes(tag) ?? true) && ifNoneMatch !== 'any' && !ifNoneMatch?.includes(tag);
  return {
    check(state) {
      const earlier = state.acted?.find((one) => one.id === id);
      if (earlier) return earlier.bodyDigest === bodyDigest ? { replayed: true } : rejected('idempotency_key_reused');
      if (projection === undefined || meets(request, decisionTag(state, projection))) return null;
      return rejected('precondition_failed');
    },
    remember(state) {
      if (bodyDigest === undefined) return state;
      const now = clock.now();
      const oldest = new Date(now.getTime() - KEYS_KNOWN).toISOString();
      const known = (state.acted ?? []).filter(({ at }) => at > oldest).slice(1 - MAX_KEYS);
      return { ...state, acted: [...known, { id, at: now.toISOString(), bodyDigest }] };
    },
  };
};

/**
 * Records an action and lets it take effect, once for each Idempotency-Key. `plan` decides it in a state: it is called again if other
 * operators decide at the same time.
 */
export const act = async <Reason extends string = never>(
  ports: Ports<'aggregates' | 'clock' | 'documents' | 'decisions' | 'identities'>,
  keyed: KeyedRequest,
  plan: (state: OperatorState) => Planned | Rejection<Reason>,
): Promise<Done | Rejection<Reason | KeyReason>> => {
  const key = actionKey(ports, keyed);
  await ports.decisions.refresh();
  const state = ports.decisions.current();
  const earlier = key.check(state);
  if (earlier) return earlier;
  const planned = plan(state);
  if (isRejection(planned)) return planned;
  // Nothing to do and no key to remember: nothing is written.
  if (!planned.event && keyed.request.idempotencyKey === undefined) return { replayed: false };
  if (planned.event) await recordAction(ports, planned.event, keyed.request);
  let done: Done = { replayed: false };
  const refused = await decide<Reason | KeyReason>(ports, (now) => {
    const other = key.check(now);
    if (other && !isRejection(other)) done = other;
    if (other) return isRejection(other) ? other : now;
    const again = plan(now);
    return isRejection(again) ? again : key.remember(again.next);
  });
  return refused ?? done;
};
