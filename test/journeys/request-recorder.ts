import type { DomainEvent } from '../../libs/domain/events.js';
import type { StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import type { Answer, Call } from '../servers/calling.js';
import { decodeEvents } from './replay.js';

/** A request that changes something, and the event that records the change. */
export type ChangeRequest = {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly event: DomainEvent['type'];
  /** A text that only this request's event contains, or the event's stream. */
  readonly mark: string;
};

/** A request and its response. `answer` is null without a response. */
export type Outcome = { readonly request: ChangeRequest; answer: Answer | null };

/** Returns the text that distinguishes an event from all others of its type. */
const markOf = (event: DomainEvent, stream: string): string => {
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
export class RequestRecorder {
  readonly outcomes: Outcome[] = [];

  /** Records a request before it is sent. */
  record(request: ChangeRequest): Outcome {
    const outcome: Outcome = { request, answer: null };
    this.outcomes.push(outcome);
    return outcome;
  }

  /** Returns the requests with a successful response. */
  acknowledged(): readonly (Outcome & { readonly answer: Answer })[] {
    return this.outcomes.flatMap(({ request, answer }) => (answer && answer.status < 300 ? [{ request, answer }] : []));
  }

  /** Returns the requests without a response. */
  unanswered(): readonly Outcome[] {
    return this.outcomes.filter(({ answer }) => answer === null);
  }

  /** Returns a line for each response with an unexpected status. */
  unexpectedAnswers(): readonly string[] {
    const expected = [200, 201, 204, 404, 409];
    return this.outcomes.flatMap(({ request, answer }) =>
      answer && !expected.includes(answer.status) ? [`${request.method} ${request.path} answered ${answer.status}: ${answer.text}`] : [],
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
      const isAcknowledged = outcomes.some(({ answer }) => answer !== null && answer.status < 300);
      const isUnanswered = outcomes.some(({ answer }) => answer === null);
      const isConsistent = isAcknowledged ? count === 1 : count <= (isUnanswered ? 1 : 0);
      const statuses = outcomes.map(({ answer }) => answer?.status ?? 'no answer').join(', ');
      return isConsistent ? [] : [`${key}: answered ${statuses}, but recorded ${count} times`];
    });
  }
}

/** Counts how often a log contains the change of each request. */
const countsOf = (events: readonly StoredEvent[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const event of decodeEvents(events)) {
    const key = keyOf({ event: event.type, mark: markOf(event as unknown as DomainEvent, event.meta.stream) });
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
};

/** Returns the number of these requests with a change in the log. */
export const countRecorded = (outcomes: readonly Outcome[], events: readonly StoredEvent[]): number => {
  const counts = countsOf(events);
  return outcomes.filter(({ request }) => counts.has(keyOf(request))).length;
};

/** Reads the resources that the outcomes from index `from` changed. Returns a line for each missing acknowledged change. */
export const lostChanges = async (recorder: RequestRecorder, call: Call, from = 0): Promise<readonly string[]> => {
  const removals = new Set(
    recorder.outcomes.filter(({ request, answer }) => request.method === 'DELETE' && canHaveSucceeded(answer)).map(pathOf),
  );
  const found = await mapConcurrently(recorder.outcomes.slice(from), async ({ request, answer }) => {
    if (!answer || answer.status >= 300) return [];
    const path = new URL(answer.headers.location ?? request.path, 'http://store').pathname;
    const { status } = await call('GET', path.replace(/\/shipment$/, ''));
    const wanted = request.method === 'DELETE' ? [404] : removals.has(resourceOf(path)) ? [200, 404] : [200];
    return wanted.includes(status) ? [] : [`${request.method} ${request.path} was acknowledged, but GET ${path} answers ${status}`];
  });
  return found.flat();
};

const canHaveSucceeded = (answer: Answer | null): boolean => answer === null || answer.status < 300;

/** `/v1/orders/<id>/payment` belongs to `/v1/orders/<id>`. */
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

/** Identifies a change. A change that is requested twice, for example a deletion, has the same key. */
const keyOf = ({ event, mark }: { readonly event: string; readonly mark: string }): string => `${event} ${mark}`;
