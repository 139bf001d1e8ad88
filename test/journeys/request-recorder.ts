import type { DomainEvent } from '../../libs/domain/events.js';
import type { StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import type { JsonResponse, Call } from '../servers/calling.js';
import { Ledger, type Entry } from './ledger.js';
import { decodeEvents } from './replay.js';

/** A request that changes something, and the event that records the change. */
export type ChangeRequest = {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly event: DomainEvent['type'];
  /**
   * Identifies this request's event among the events of its type: a text that only this event contains, or the name of its
   * stream.
   */
  readonly marker: string;
};

/** A request that changes something, and its response. */
export type Outcome = Entry<ChangeRequest, JsonResponse>;

/** Returns the text that distinguishes an event from all others of its type. */
const markerOf = (event: DomainEvent, stream: string): string => {
  switch (event.type) {
    case 'PetListed':
      return event.data.details.name;
    case 'PetDetailsRevised':
      return event.data.details.description ?? '';
    case 'OrderPlaced':
      return event.data.userId ?? '';
    case 'PaymentRequested':
      return event.data.amount;
    default:
      return stream;
  }
};

/** Records requests with their responses, and reports where the log contradicts them. */
export class RequestRecorder extends Ledger<ChangeRequest, JsonResponse> {
  constructor() {
    super(({ status }) => status < 300);
  }

  /** Returns a line for each response with an unexpected status. */
  unexpectedResponses(): readonly string[] {
    const expected = [200, 201, 204, 404, 409];
    return this.outcomes.flatMap(({ request, response }) =>
      response && !expected.includes(response.status)
        ? [`${request.method} ${request.path} returned ${response.status}: ${response.text}`]
        : [],
    );
  }

  /**
   * Returns a line for each contradiction between responses and log. The log must contain an acknowledged change once,
   * an unanswered change at most once, and a rejected change never.
   */
  contradictions(events: readonly StoredEvent[]): readonly string[] {
    const counts = countsOf(events);
    return [...Map.groupBy(this.outcomes, ({ request }) => keyOf(request))].flatMap(([key, outcomes]) => {
      const count = counts.get(key) ?? 0;
      const isAcknowledged = outcomes.some(({ response }) => response !== null && response.status < 300);
      const isUnanswered = outcomes.some(({ response }) => response === null);
      const isConsistent = isAcknowledged ? count === 1 : count <= (isUnanswered ? 1 : 0);
      const statuses = outcomes.map(({ response }) => response?.status ?? 'no response').join(', ');
      return isConsistent ? [] : [`${key}: returned ${statuses}, but recorded ${count} times`];
    });
  }
}

/** Counts the events of a log by the key that `keyOf` returns. */
const countsOf = (events: readonly StoredEvent[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const event of decodeEvents(events)) {
    const key = keyOf({ event: event.type, marker: markerOf(event as unknown as DomainEvent, event.meta.stream) });
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
};

/** Returns how many of these requests have their event in the log. */
export const countRecorded = (outcomes: readonly Outcome[], events: readonly StoredEvent[]): number => {
  const counts = countsOf(events);
  return outcomes.filter(({ request }) => counts.has(keyOf(request))).length;
};

/**
 * Checks the acknowledged requests among the outcomes from index `from` on: reads the resource that each of them changed.
 * Returns a line for each change that was acknowledged, but that the resource does not show.
 */
export const lostChanges = async (recorder: RequestRecorder, call: Call, from = 0): Promise<readonly string[]> => {
  const removals = new Set(
    recorder.outcomes.filter(({ request, response }) => request.method === 'DELETE' && canHaveSucceeded(response)).map(pathOf),
  );
  const found = await mapConcurrently(recorder.outcomes.slice(from), async ({ request, response }) => {
    if (!response || response.status >= 300) return [];
    const path = new URL(response.headers.location ?? request.path, 'http://store').pathname;
    const { status } = await call('GET', path.replace(/\/shipment$/, ''));
    const wanted = request.method === 'DELETE' ? [404] : removals.has(resourceOf(path)) ? [200, 404] : [200];
    return wanted.includes(status) ? [] : [`${request.method} ${request.path} was acknowledged, but GET ${path} returns ${status}`];
  });
  return found.flat();
};

const canHaveSucceeded = (response: JsonResponse | null): boolean => response === null || response.status < 300;

/** Returns the path of the resource to which a path belongs. For `/v1/orders/<id>/payment`, returns `/v1/orders/<id>`. */
const resourceOf = (path: string): string => /\/v1\/[a-z]+\/[^/]+/.exec(path)?.[0] ?? path;
const pathOf = ({ request }: Outcome): string => resourceOf(request.path);

const CONCURRENT_REQUESTS = 16;

const mapConcurrently = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> => {
  const results: R[] = [];
  const queue = items.values();
  await Promise.all(
    Array.from({ length: CONCURRENT_REQUESTS }, async () => {
      for (const item of queue) results.push(await work(item));
    }),
  );
  return results;
};

/** Identifies a change. Two requests for the same change have the same key, for example two deletions of a pet. */
const keyOf = ({ event, marker }: { readonly event: string; readonly marker: string }): string => `${event} ${marker}`;
