import type { Clock } from '../eventsourcing/ports/clock.port.js';
import type { Collection, Documents } from '../eventsourcing/ports/documents.port.js';
import { StoreUnavailable } from '../eventsourcing/ports/event-store.port.js';
import type { CommandContext } from '../eventsourcing/message.js';
import { repeat } from '../runtime/following/repeat.js';

const PAGE = 1000;
/**
 * The maximum of milliseconds between two searches for due resources. A resource must expire at most 5 s after it is due.
 * With an interval of 3 s, 2 s are left for the command.
 */
const MAX_INTERVAL = 3_000;
/** The minimum of milliseconds between two searches. Between these limits, the interval is a tenth of the hold time. */
const MIN_INTERVAL = 1_000;

/** Resources that are due when their hold time has passed, and the command that expires one of them. */
export type DueResources = {
  /** The name of the resource in errors, for example `order`. */
  readonly name: string;
  /** The actor of the command, for example `process:order-expiry`. */
  readonly actor: string;
  readonly collection: Collection;
  /** The status of a resource that may expire. */
  readonly status: string;
  /** The field with the time at which the hold time begins. */
  readonly since: string;
  readonly holdMilliseconds: number;
  /** Expires one resource if its hold time began at or before `before`. The decider may reject the command. */
  readonly expire: (id: string, before: string, context: CommandContext) => Promise<unknown>;
};

/** The ports of an expiry. */
export type ExpiryPorts = { readonly clock: Clock; readonly documents: Documents; readonly onError: (error: unknown) => void };

type DueResource = { readonly id: string; readonly tenant: string };

/** Returns the resources that the read model shows as due, oldest first. */
const findDue = async (
  documents: Documents,
  { collection, status, since }: DueResources,
  before: string,
): Promise<readonly DueResource[]> => {
  const where = { status, [since]: { to: before } };
  const due: DueResource[] = [];
  for (let offset = 0; ; offset += PAGE) {
    const page = await documents.find(collection, { where, sort: [since], limit: PAGE, offset });
    for (const { key, fields } of page) due.push({ id: key, tenant: String(fields['tenant']) });
    if (page.length < PAGE) return due;
  }
};

/**
 * Expires the due resources. If the expiry of a resource fails, reports the error and continues with the next resource.
 * The next search finds the failed resource again. If the store is unavailable, stops and rejects with StoreUnavailable.
 */
const expireDue = async ({ clock, documents, onError }: ExpiryPorts, due: DueResources, stopping: AbortSignal): Promise<void> => {
  const before = new Date(clock.now().getTime() - due.holdMilliseconds).toISOString();
  for (const { id, tenant } of await findDue(documents, due, before)) {
    if (stopping.aborted) return;
    try {
      await due.expire(id, before, { tenant, actor: due.actor, correlationId: id, causationId: id });
    } catch (error) {
      if (error instanceof StoreUnavailable) throw error;
      onError(new Error(`could not expire ${due.name} ${id}`, { cause: error }));
    }
  }
};

/**
 * Searches for due resources periodically and expires them. Returns a function that stops the searches and waits until
 * the current resource is finished.
 */
export const startExpiry = (ports: ExpiryPorts, due: DueResources): (() => Promise<void>) => {
  const wait = Math.min(MAX_INTERVAL, Math.max(MIN_INTERVAL, due.holdMilliseconds / 10));
  const stopping = new AbortController();
  const work = (): Promise<number> => expireDue(ports, due, stopping.signal).then(() => wait);
  const stop = repeat({ clock: ports.clock, firstDelay: wait, work, failureDelay: wait, onError: ports.onError });
  return () => {
    stopping.abort();
    return stop();
  };
};
