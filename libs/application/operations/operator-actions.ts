import type { OperatorEvent } from '../../domain/operations/operator-actions.js';
import { dayOf } from '../../eventsourcing/day.js';
import { isRejection } from '../../eventsourcing/decider.js';
import { SHARED_POOL } from '../../eventsourcing/message.js';
import { StoreUnavailable } from '../../eventsourcing/ports/event-store.port.js';
import { OPERATOR_STATE, OPERATOR_STATE_KEY, type OperatorState } from '../../runtime/operating/operator-state.js';
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
 * before, so that whatever is in force has its event. Rejects with StoreUnavailable.
 */
export const decide = async (
  { documents, decisions }: Ports<'documents' | 'decisions'>,
  change: (state: OperatorState) => OperatorState,
): Promise<void> => {
  const state = new StateStore<OperatorState>(documents, OPERATOR_STATE);
  const outcome = await state.change(OPERATOR_STATE_KEY, (stored) => ({ value: change(stored?.value ?? {}), fields: {} }));
  if (outcome === 'contended') throw new StoreUnavailable('other operators decide at the same time');
  await decisions.refresh();
};
