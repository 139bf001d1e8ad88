import type { DomainEvent } from '../../libs/domain/events.js';
import type { StoredEvent } from '../../libs/eventsourcing/ports/event-store.port.js';
import type { Answer, Call } from '../servers/calling.js';
import { decoded } from './replay.js';

/** A request that changes something, and the one event by which the log would show that it did. */
export type Deed = {
  readonly method: 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
  readonly event: DomainEvent['type'];
  /** A text that only this deed's event carries, or the event's stream. */
  readonly mark: string;
};

/** What became of a deed as its caller knows it. */
export type Outcome = { readonly deed: Deed; answer: Answer | null };

/** The text by which an event is told from all others of its type. */
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

/** Remembers every request that was sent and every answer that came, and tells where the log says otherwise. */
export class Witness {
  readonly outcomes: Outcome[] = [];

  /** Writes down a deed on its way out. */
  sent(deed: Deed): Outcome {
    const outcome: Outcome = { deed, answer: null };
    this.outcomes.push(outcome);
    return outcome;
  }

  /** Those that were promised: answered with success. */
  acknowledged(): readonly (Outcome & { readonly answer: Answer })[] {
    return this.outcomes.flatMap(({ deed, answer }) => (answer && answer.status < 300 ? [{ deed, answer }] : []));
  }

  /** Those whose outcome nobody knows. */
  unanswered(): readonly Outcome[] {
    return this.outcomes.filter(({ answer }) => answer === null);
  }

  /** Answers that no request here should ever have: one line each. */
  surprises(): readonly string[] {
    const expected = [200, 201, 204, 404, 409];
    return this.outcomes.flatMap(({ deed, answer }) =>
      answer && !expected.includes(answer.status) ? [`${deed.method} ${deed.path} was answered ${answer.status}: ${answer.text}`] : [],
    );
  }

  /**
   * Where a log contradicts what callers were told: an acknowledged deed stands in it exactly once, an unanswered one at
   * most once, a refused one not at all.
   */
  contradictions(events: readonly StoredEvent[]): readonly string[] {
    const counts = countsOf(events);
    return [...Map.groupBy(this.outcomes, ({ deed }) => keyOf(deed))].flatMap(([key, outcomes]) => {
      const count = counts.get(key) ?? 0;
      const promised = outcomes.some(({ answer }) => answer !== null && answer.status < 300);
      const unknown = outcomes.some(({ answer }) => answer === null);
      const right = promised ? count === 1 : count <= (unknown ? 1 : 0);
      const told = outcomes.map(({ answer }) => answer?.status ?? 'no answer').join(', ');
      return right ? [] : [`${key}: callers were told ${told}, and the log has it ${count} times`];
    });
  }
}

/** How often each deed stands in a log. */
const countsOf = (events: readonly StoredEvent[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const event of decoded(events)) {
    const key = keyOf({ event: event.type, mark: markOf(event as unknown as DomainEvent, event.meta.stream) });
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
};

/** How many of these deeds stand in a log. */
export const countDone = (outcomes: readonly Outcome[], events: readonly StoredEvent[]): number => {
  const counts = countsOf(events);
  return outcomes.filter(({ deed }) => counts.has(keyOf(deed))).length;
};

/** What reading finds missing of what was promised, among the outcomes from number `from` on: one line each. */
export const brokenPromises = async (witness: Witness, call: Call, from = 0): Promise<readonly string[]> => {
  const removals = new Set(witness.outcomes.filter(({ deed, answer }) => deed.method === 'DELETE' && mayHaveWorked(answer)).map(pathOf));
  const found = await inTurns(witness.outcomes.slice(from), async ({ deed, answer }) => {
    if (!answer || answer.status >= 300) return [];
    const path = new URL(answer.headers.location ?? deed.path, 'http://store').pathname;
    const { status } = await call('GET', path.replace(/\/shipment$/, ''));
    const wanted = deed.method === 'DELETE' ? [404] : removals.has(resourceOf(path)) ? [200, 404] : [200];
    return wanted.includes(status) ? [] : [`${deed.method} ${deed.path} was acknowledged, and GET ${path} answers ${status}`];
  });
  return found.flat();
};

const mayHaveWorked = (answer: Answer | null): boolean => answer === null || answer.status < 300;

/** `/v1/orders/<id>/payment` belongs to `/v1/orders/<id>`. */
const resourceOf = (path: string): string => /\/v1\/[a-z]+\/[^/]+/.exec(path)?.[0] ?? path;
const pathOf = ({ deed }: Outcome): string => resourceOf(deed.path);

const AT_ONCE = 16;

const inTurns = async <T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<readonly R[]> => {
  const results: R[] = [];
  const queue = items.values();
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (const item of queue) results.push(await work(item));
    }),
  );
  return results;
};

/** A deed that was asked for twice, as a removal may be, is the same deed. */
const keyOf = ({ event, mark }: { readonly event: string; readonly mark: string }): string => `${event} ${mark}`;
