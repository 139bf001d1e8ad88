import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import { createSerialQueue } from '../following/serial-queue.js';
import type { OperatorDecisions } from './operator-state.js';

/** The name of the checkpoint with the number of the last request that a reader or consumer has met. */
const checkpointOf = (name: string): string => `retries_of_${name}`;

/** Returns the number of the last request that a reader or consumer has met. */
export const metRequests = (documents: Pick<Documents, 'checkpoint'>, name: string): Promise<number> =>
  documents.checkpoint(checkpointOf(name));

export type RetryRequestsOptions = {
  readonly decisions: Pick<OperatorDecisions, 'current' | 'onChange'>;
  readonly documents: Pick<Documents, 'checkpoint' | 'apply'>;
  /** The names of the readers or consumers that `retry` retries. */
  readonly names: readonly string[];
  /** Retries what they have parked. */
  readonly retry: () => Promise<unknown>;
  readonly onError: (error: unknown) => void;
};

/**
 * Retries what is parked when an operator requests it, beside the retries of each minute. Returns a function that ends that, and waits
 * for a running retry.
 */
export const meetRetryRequests = ({ decisions, documents, names, retry, onError }: RetryRequestsOptions): (() => Promise<void>) => {
  const inTurn = createSerialQueue();
  let isStopped = false;
  const meet = async (): Promise<void> => {
    const { retries = {} } = decisions.current();
    const open: { readonly name: string; readonly position: number }[] = [];
    for (const name of names) {
      const position = retries[name] ?? 0;
      if (position > (await metRequests(documents, name))) open.push({ name: checkpointOf(name), position });
    }
    if (open.length === 0 || isStopped) return;
    await retry();
    for (const checkpoint of open) await documents.apply([], checkpoint);
  };
  const look = (): void => {
    if (names.some((name) => decisions.current().retries?.[name] !== undefined)) inTurn(meet).catch(onError);
  };
  look();
  const endLooking = decisions.onChange(look);
  return () => {
    isStopped = true;
    endLooking();
    return inTurn(() => Promise.resolve());
  };
};
