import type { ShownDelivery } from '../../../libs/application/deliveries/shown-deliveries.js';
import { isFinished } from '../../../libs/deliveries/dispatch/outcomes.js';
import { readDeliveryPages, readDelivery } from './deliveries.js';
import type { StoreClient } from './store-client.js';

/** What was told of a delivery: up to which attempt, and whether it will be tried again. */
type PrintedDelivery = { readonly lastAttempt: string; readonly isSettled: boolean };

/** Older ones are not looked at again, so that a command may run for weeks. */
const REMEMBERED = 10_000;
/** Unfinished ones beyond the newest page that are looked at each time, in turn: a receiver that is away makes many. */
const FOLLOWED_PER_READ = 20;

/** Reads the deliveries of one endpoint again and again, and says what is new in a line for each attempt. */
export class DeliveryLines {
  private readonly printed = new Map<string, PrintedDelivery>();
  private readonly unfinished = new Set<string>();

  constructor(
    private readonly store: StoreClient,
    private readonly webhookId: string,
  ) {}

  /** What has come of the deliveries since it was last asked, in the order of the attempts. */
  async next(): Promise<readonly string[]> {
    const lines = (await this.readDeliveries()).flatMap((delivery) => {
      const { lastAttempt: until = '', isSettled: settled = false } = this.printed.get(delivery.id) ?? {};
      this.remember(delivery);
      return formatNewLines(delivery, until, settled);
    });
    this.forget();
    return lines.toSorted((one, other) => compare(one.at, other.at)).map(({ text }) => text);
  }

  private async readDeliveries(): Promise<readonly ShownDelivery[]> {
    const found = new Map<string, ShownDelivery>();
    for await (const page of readDeliveryPages(this.store, this.webhookId)) {
      for (const delivery of page) found.set(delivery.id, delivery);
      // The newest come first: behind a page that is known there is nothing new.
      if (page.every(({ id }) => this.printed.has(id))) break;
    }
    const others = [...this.unfinished].filter((id) => !found.has(id)).slice(0, FOLLOWED_PER_READ);
    for (const id of others) found.set(id, await readDelivery(this.store, this.webhookId, id));
    return [...found.values()];
  }

  private remember(delivery: ShownDelivery): void {
    const { id, attempts } = delivery;
    const settled = isFinished(delivery);
    this.printed.set(id, { lastAttempt: attempts.at(-1)?.at ?? '', isSettled: settled });
    // Taken out and put in at the end, so that all have their turn.
    this.unfinished.delete(id);
    if (!settled) this.unfinished.add(id);
  }

  private forget(): void {
    for (const id of this.printed.keys()) {
      if (this.printed.size <= REMEMBERED) return;
      if (!this.unfinished.has(id)) this.printed.delete(id);
    }
  }
}

type Line = { readonly at: string; readonly text: string };

const formatNewLines = (delivery: ShownDelivery, until: string, wasSettled: boolean): readonly Line[] => {
  const { attempts, status, createdAt } = delivery;
  const fresh = attempts.filter(({ at }) => at > until);
  const isNewlyParked = status === 'parked' && !wasSettled;
  // What is parked without an attempt was never tried: its endpoint is switched off, or is no more.
  if (fresh.length === 0)
    return isNewlyParked ? [{ at: createdAt, text: `${createdAt}  ${formatEvent(delivery)}  ${formatNextStep(delivery)}` }] : [];
  return fresh.map(({ at, status: answered, fault, durationMilliseconds }, nth) => {
    const more = nth === fresh.length - 1 && status !== 'delivered' ? `  ${formatNextStep(delivery)}` : '';
    return { at, text: `${at}  ${formatEvent(delivery)}  ${answered ?? fault ?? 'no answer'}  ${durationMilliseconds} ms${more}` };
  });
};

const formatEvent = ({ eventType, eventId }: ShownDelivery): string => `${eventType}  ${eventId}`;

const formatNextStep = ({ status, parkedBecause, nextAttemptAt }: ShownDelivery): string =>
  status === 'parked' ? `parked: ${parkedBecause ?? 'for good'}` : `next attempt ${nextAttemptAt ?? 'when its turn comes'}`;

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);
