import type { DeliveryResource } from '../../../libs/application/deliveries/delivery-views.js';
import { isFinished } from '../../../libs/deliveries/dispatch/outcomes.js';
import { readDeliveryPages, readDelivery } from './deliveries.js';
import type { ServiceClient } from './service-client.js';

/** The time of the last printed attempt of a delivery, and whether the delivery is delivered or parked. */
type PrintedDelivery = { readonly lastAttempt: string; readonly isSettled: boolean };

/** Maximum number of remembered deliveries. It limits the memory of a command that runs for weeks. */
const MAX_REMEMBERED = 10_000;
/**
 * Maximum number of older unfinished deliveries that one poll reads. Each delivery takes one request, and an unreachable
 * receiver leaves many deliveries unfinished. Later polls read the others.
 */
const UNFINISHED_PER_READ = 20;

/** Polls the deliveries of one endpoint and formats a line for each new attempt. */
export class DeliveryLines {
  private readonly printed = new Map<string, PrintedDelivery>();
  private readonly unfinished = new Set<string>();

  constructor(
    private readonly service: ServiceClient,
    private readonly webhookId: string,
  ) {}

  /**
   * Returns a line for each attempt since the last call, ordered by time. Also returns a line for each delivery that was parked
   * without an attempt.
   */
  async readNewLines(): Promise<readonly string[]> {
    const lines = (await this.readDeliveries()).flatMap((delivery) => {
      const { lastAttempt = '', isSettled: wasSettled = false } = this.printed.get(delivery.id) ?? {};
      this.remember(delivery);
      return formatNewLines(delivery, lastAttempt, wasSettled);
    });
    this.forget();
    return lines.toSorted((one, other) => compare(one.at, other.at)).map(({ text }) => text);
  }

  private async readDeliveries(): Promise<readonly DeliveryResource[]> {
    const found = new Map<string, DeliveryResource>();
    for await (const page of readDeliveryPages(this.service, this.webhookId)) {
      for (const delivery of page) found.set(delivery.id, delivery);
      // The newest deliveries are on the first pages. If all deliveries of a page are known, those of later pages are known too.
      if (page.every(({ id }) => this.printed.has(id))) break;
    }
    const others = [...this.unfinished].filter((id) => !found.has(id)).slice(0, UNFINISHED_PER_READ);
    for (const id of others) found.set(id, await readDelivery(this.service, this.webhookId, id));
    return [...found.values()];
  }

  private remember(delivery: DeliveryResource): void {
    const { id, attempts } = delivery;
    const isSettled = isFinished(delivery);
    this.printed.set(id, { lastAttempt: attempts.at(-1)?.at ?? '', isSettled });
    // Moves an unfinished delivery to the end of the set, so that the next poll reads other unfinished deliveries first.
    this.unfinished.delete(id);
    if (!isSettled) this.unfinished.add(id);
  }

  /** Forgets the oldest finished deliveries, until at most MAX_REMEMBERED deliveries are remembered. */
  private forget(): void {
    for (const id of this.printed.keys()) {
      if (this.printed.size <= MAX_REMEMBERED) return;
      if (!this.unfinished.has(id)) this.printed.delete(id);
    }
  }
}

type Line = { readonly at: string; readonly text: string };

const formatNewLines = (delivery: DeliveryResource, lastAttempt: string, wasSettled: boolean): readonly Line[] => {
  const { attempts, status, createdAt } = delivery;
  const fresh = attempts.filter(({ at }) => at > lastAttempt);
  const isNewlyParked = status === 'parked' && !wasSettled;
  // A delivery is parked without an attempt when its endpoint is disabled or removed.
  if (fresh.length === 0)
    return isNewlyParked ? [{ at: createdAt, text: `${createdAt}  ${formatEvent(delivery)}  ${formatNextStep(delivery)}` }] : [];
  return fresh.map(({ at, status: answered, fault, durationMilliseconds }, nth) => {
    const more = nth === fresh.length - 1 && status !== 'delivered' ? `  ${formatNextStep(delivery)}` : '';
    return { at, text: `${at}  ${formatEvent(delivery)}  ${answered ?? fault ?? 'no answer'}  ${durationMilliseconds} ms${more}` };
  });
};

const formatEvent = ({ eventType, eventId, request }: DeliveryResource): string =>
  [eventType, eventId, resourceOf(request.body)].filter(Boolean).join('  ');

/** The resources that a body may have, the one that the event is about first. */
const RESOURCES = ['payment', 'order', 'pet'] as const;

/** Returns the kind, the id and the status of what an event is about, such as `order 0190… approved`. */
const resourceOf = (body: unknown): string | null => {
  const { data = {} } = body as { readonly data?: Readonly<Record<string, { readonly id: string; readonly status?: string } | undefined>> };
  const kind = RESOURCES.find((name) => data[name] !== undefined);
  const resource = kind && data[kind];
  return resource ? [kind, resource.id, resource.status].filter(Boolean).join(' ') : null;
};

const formatNextStep = ({ status, parkedBecause, nextAttemptAt }: DeliveryResource): string =>
  status === 'parked' ? `parked: ${parkedBecause ?? 'no reason given'}` : `next attempt ${nextAttemptAt ?? 'after earlier deliveries'}`;

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
