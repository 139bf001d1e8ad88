import type { Documents } from '../../eventsourcing/ports/documents.port.js';
import { createSerialQueue } from '../../eventsourcing/scheduling/serial-queue.js';
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

export type RefoldOptions = Pick<RetryRequestsOptions, 'documents'> & {
  readonly decisions: Pick<OperatorDecisions, 'current'>;
  /** The name of the projection. */
  readonly projection: string;
  /** The checkpoint name of the version. Each version folds the streams itself. */
  readonly version: string;
  readonly refold: (stream: string) => Promise<void>;
};

/**
 * Folds the streams again of which operators have skipped other events since this was called last. Returns false if this process does
 * not know yet what another one has done: it must not retry then, because it would leave out, or apply, what is outdated.
 */
export const meetRefolds = async ({ decisions, documents, projection, version, refold }: RefoldOptions): Promise<boolean> => {
  const requested = Object.entries(decisions.current().refolds?.[projection] ?? {});
  // It does not end in the number of a version, because it is none of a read model.
  const name = `${version}_refolds`;
  const met = await documents.checkpoint(name);
  const last = Math.max(0, ...requested.map(([, number]) => number));
  const open = requested.filter(([, number]) => number > met);
  for (const [stream] of open) await refold(stream);
  if (open.length > 0) await documents.apply([], { name, position: last });
  return met <= last;
};
