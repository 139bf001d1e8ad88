import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { ANNOUNCEMENTS } from '../../deliveries/announce/announcements.js';
import { DELIVERIES, deliveryFromDocument, type Delivery } from '../../deliveries/delivery.js';
import { positionBefore } from '../../deliveries/redelivery/positions-by-time.js';
import type { AdoptionId, OrderId, PaymentId, PetId, UserId } from '../../domain/ids.js';
import { StreamFaultLookup } from '../../eventsourcing/history.js';
import { Aggregates } from '../../eventsourcing/aggregates.js';
import { EventCodec } from '../../eventsourcing/event-codec.js';
import { aggregateIdOf, categoryOf } from '../../eventsourcing/message.js';
import { Clock } from '../../eventsourcing/ports/clock.port.js';
import { Documents } from '../../eventsourcing/ports/documents.port.js';
import { EventStore, type StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { Parked } from '../../eventsourcing/ports/parked.port.js';
import { ReadModels, type ReadModelState } from '../../eventsourcing/ports/read-models.port.js';
import { WorkQueue, type ClaimedWork } from '../../eventsourcing/ports/work-queue.port.js';
import { recordedTimeOf } from '../../runtime/codec/monotonic-clock.js';
import { REACTOR } from '../../runtime/consuming/reactor.js';
import { OperatorDecisions } from '../../runtime/operating/operator-state.js';
import { REMEDIES } from '../../runtime/projecting/stream-faults.js';
import { RELAY } from '../../runtime/relay/relay.js';
import { EMAILS, USERNAMES, USERS } from '../aggregates.js';
import { GATEWAY_CALLS, paymentOfCall } from '../payments/gateway-calls.js';
import type { ResultOf } from '../request.js';
import { StateStore } from '../state/state-store.js';
import { FORGOTTEN_AFTER } from '../users/lists/settle-user-list.js';
import { LAPSES_AFTER } from '../users/names/name-claims.js';
import { USER_LISTS, type UserList } from '../users/lists/user-lists.js';
import { DELIVERIES_NAME, readParked, type ParkedItem } from './parked.queries.js';
import { eachOf, shownAsOpen, unfinishedIn, type Candidates } from './stuck-candidates.js';
import {
  Holds,
  holdersOf,
  nullIfBroken,
  orderOfPayment,
  stuckApplication,
  stuckOrder,
  stuckPaymentOfBrokenOrder,
  stuckReservation,
  STUCK_KINDS,
  type Stuck,
  type StuckKind,
} from './stuck.js';

/**
 * Why something is stuck, as far as the store knows. `parked`: a reader or consumer has parked one of its streams. `skipped`: an operator
 * lets the processes leave out the event from which the missing step follows. `broken`: one of its streams was altered, or cannot be
 * read. `paused`, `behind`: a timer does not see it, because a read model is paused or lacks events. `not-published`: no topic has the
 * event yet. `gateway`: the payment gateway has not answered. `receiver`: a receiver has not accepted a delivery. `unknown`: nothing
 * waits for it.
 */
export type StuckCause = 'parked' | 'skipped' | 'broken' | 'paused' | 'behind' | 'not-published' | 'gateway' | 'receiver' | 'unknown';

/** Something stuck, why, and what helps. */
export type ShownStuck = Omit<Stuck, 'after'> & {
  readonly cause: StuckCause;
  readonly why: string;
  readonly helps: string;
  readonly deliveryId?: string;
  readonly webhookId?: string;
};

/** The number of one kind, and since when the oldest waits. */
export type StuckCount = { readonly kind: StuckKind; readonly count: number; readonly oldest: string };

/** What is stuck. `isComplete` is false if there is more than one search looks at: then the oldest were looked at. */
export type StuckList = {
  readonly count: number;
  readonly isComplete: boolean;
  readonly kinds: readonly StuckCount[];
  readonly items: readonly ShownStuck[];
};

/** Milliseconds after which something is stuck, unless a request says otherwise. */
export const STUCK_AFTER = 60_000;

/** The maximum number of streams of each kind that a search folds. */
const MAX_FOLDED = 2_000;
/** The maximum number of deliveries, gateway calls and lists of users that a search reads. */
const MAX_READ = 1_000;
/** The maximum number of events that a search reads: of the last hour, and those that a read model lacks. */
const MAX_EVENTS = 20_000;
const HOUR = 3_600_000;

/** What a search reads once: what is parked, the waiting calls of the gateway, the read models, and the position of the relay. */
type Known = {
  readonly parked: readonly ParkedItem[];
  readonly calls: readonly ClaimedWork[];
  readonly states: readonly ReadModelState[];
  readonly published: number;
};

type Found = { readonly stuck: Stuck; readonly delivery?: Delivery };

/**
 * Lists what is stuck: `limit` items, those that wait the longest, of what waits longer than `olderThan` milliseconds. Read models, parked
 * streams, the work queue and the end of the log name what may be stuck. Only its streams say whether it is.
 */
export class ListStuck extends Query<StuckList> {
  constructor(
    readonly olderThan: number,
    readonly limit: number,
  ) {
    super();
  }
}

@QueryHandler(ListStuck)
export class ListStuckHandler implements IQueryHandler<ListStuck> {
  constructor(
    readonly aggregates: Aggregates,
    readonly store: EventStore,
    readonly codec: EventCodec,
    readonly documents: Documents,
    readonly parked: Parked,
    readonly faults: StreamFaultLookup,
    private readonly readModels: ReadModels,
    private readonly work: WorkQueue,
    private readonly decisions: OperatorDecisions,
    private readonly clock: Clock,
    private readonly holds: Holds,
  ) {}

  async execute({ olderThan, limit }: ListStuck): Promise<ResultOf<ListStuck>> {
    await this.decisions.refresh();
    const now = this.clock.now();
    const cutoff = new Date(now.getTime() - olderThan);
    const known = await this.read();
    const { found, isComplete } = await this.find(known, cutoff);
    const stuck = found.filter(({ stuck: { since } }) => since <= cutoff.toISOString()).toSorted((a, b) => compare(a.stuck, b.stuck));
    const explained: ShownStuck[] = [];
    for (const one of stuck.slice(0, limit)) explained.push(await this.explain(one, known));
    return { count: stuck.length, isComplete, kinds: countsOf(stuck.map((one) => one.stuck)), items: explained };
  }

  /** Reads what one search needs for many items. */
  private async read(): Promise<Known> {
    const { items: parked } = await readParked(this);
    const [calls, states, published] = await Promise.all([
      this.work.waiting(GATEWAY_CALLS, MAX_READ),
      this.readModels.states(),
      this.documents.checkpoint(RELAY),
    ]);
    return { parked, calls, states, published };
  }

  private async find(
    { parked, calls, states }: Known,
    cutoff: Date,
  ): Promise<{ readonly found: readonly Found[]; readonly isComplete: boolean }> {
    const open = await shownAsOpen(this.documents, this.holds, cutoff);
    const recent = await this.recentEvents(states, cutoff);
    const begun = unfinishedIn(recent.events, this.holds, cutoff);
    const waiting = await this.ofWaiting(parked, calls);
    const orders = new Set([...waiting.orders, ...open.orders, ...begun.orders]);
    const adoptions = new Set([...waiting.adoptions, ...open.adoptions, ...begun.adoptions]);
    const pets = new Set([...waiting.pets, ...begun.pets]);
    const stuck: Stuck[] = [];
    // A step may be appended between the reads of two streams, so what seems stuck is decided once more.
    const add = async (decide: () => Promise<Stuck | null>): Promise<void> => {
      const one = (await decide().catch(nullIfBroken)) && (await decide().catch(nullIfBroken));
      if (one) stuck.push(one);
    };
    const firstOf = <T>(items: ReadonlySet<T>): readonly T[] => [...items].slice(0, MAX_FOLDED);
    await eachOf(firstOf(orders), (id) => add(() => stuckOrder(this, id, this.holds, cutoff)));
    await eachOf(firstOf(adoptions), (id) => add(() => stuckApplication(this, id, this.holds, cutoff)));
    await eachOf(firstOf(pets), (id) => add(() => stuckReservation(this, id)));
    await eachOf(firstOf(waiting.payments), (id) => add(() => stuckPaymentOfBrokenOrder(this, id)));
    await eachOf(firstOf(begun.claims), (stream) => add(() => this.stuckClaim(stream)));
    stuck.push(...(await this.unsettledLists()), ...(await this.notAnnounced(parked)));
    const deliveries = await this.stuckDeliveries(cutoff);
    const isComplete =
      open.isComplete &&
      recent.isComplete &&
      deliveries.isComplete &&
      calls.length < MAX_READ &&
      [orders, adoptions, pets, begun.claims].every(({ size }) => size <= MAX_FOLDED);
    return { found: [...stuck.map((one) => ({ stuck: one })), ...deliveries.found], isComplete };
  }

  /** Reads the events of the last hour, and all that a read model lacks: what they have begun is shown nowhere. */
  private async recentEvents(
    states: Known['states'],
    cutoff: Date,
  ): Promise<{ readonly events: readonly StoredEvent[]; readonly isComplete: boolean }> {
    const hour = await positionBefore(this, new Date(cutoff.getTime() - HOUR).toISOString());
    const recent = await this.eventsAfter(hour, Infinity);
    const lacking = Math.min(...states.filter(({ behind }) => behind !== 0).map(({ position }) => position));
    const lacked = lacking < hour ? await this.eventsAfter(lacking, hour) : { events: [], isComplete: true };
    return { events: [...lacked.events, ...recent.events], isComplete: lacked.isComplete && recent.isComplete };
  }

  /** Reads the events after a position, up to another one, at most MAX_EVENTS. */
  private async eventsAfter(
    after: number,
    upTo: number,
  ): Promise<{ readonly events: readonly StoredEvent[]; readonly isComplete: boolean }> {
    const events: StoredEvent[] = [];
    for (let last = after; events.length < MAX_EVENTS;) {
      const page = await this.store.readAll(last, MAX_READ);
      events.push(...page.filter(({ position }) => position <= upTo));
      last = page.at(-1)?.position ?? last;
      if (page.length < MAX_READ || last > upTo) return { events, isComplete: true };
    }
    return { events, isComplete: false };
  }

  /** Returns what parked streams and waiting calls of the gateway concern. */
  private async ofWaiting(
    parked: readonly ParkedItem[],
    calls: readonly ClaimedWork[],
  ): Promise<Omit<Candidates, 'claims'> & { readonly payments: ReadonlySet<PaymentId> }> {
    const orders = new Set<OrderId>();
    const adoptions = new Set<AdoptionId>();
    const pets = new Set<PetId>();
    const payments = new Set<PaymentId>();
    const streams = new Set([
      ...parked.filter(({ kind }) => kind !== 'delivery').map(({ stream }) => stream),
      ...calls.map((call) => `payment-${paymentOfCall(call)}`),
    ]);
    await eachOf(streams, async (stream) => {
      const id = aggregateIdOf(stream);
      switch (categoryOf(stream)) {
        case 'order':
          return void orders.add(id as OrderId);
        case 'adoption':
          return void adoptions.add(id as AdoptionId);
        case 'payment': {
          const orderId = await orderOfPayment(this, id as PaymentId).catch(nullIfBroken);
          payments.add(id as PaymentId);
          return void (orderId && orders.add(orderId));
        }
        case 'pet': {
          const holders = await holdersOf(this, id as PetId).catch(nullIfBroken);
          pets.add(id as PetId);
          holders?.orders.forEach((order) => orders.add(order));
          return holders?.adoptions.forEach((adoption) => adoptions.add(adoption));
        }
        default:
          return undefined;
      }
    });
    return { orders, adoptions, pets, payments };
  }

  /** Returns the streams of which no deliveries are made, because the consumer that makes them has parked them. */
  private async notAnnounced(parked: readonly ParkedItem[]): Promise<readonly Stuck[]> {
    const stuck: Stuck[] = [];
    for (const { kind, name, stream, revision } of parked) {
      const [event] = kind === 'key' && name === ANNOUNCEMENTS ? await this.store.readStream(stream, revision, 1) : [];
      const time = event && recordedTimeOf(event);
      if (!time) continue;
      const { tenant } = JSON.parse(event.metadata) as { readonly tenant: string };
      stuck.push({ kind: 'delivery-overdue', tenant, since: time.toISOString(), stream, related: [] });
    }
    return stuck;
  }

  /** Returns a claim of a name that its account does not use, although it has had the time. */
  private async stuckClaim(stream: string): Promise<Stuck | null> {
    const [claims, member] =
      categoryOf(stream) === 'username' ? ([USERNAMES, 'usernameDigest'] as const) : ([EMAILS, 'emailDigest'] as const);
    const digest = aggregateIdOf(stream);
    const { state } = await this.aggregates.load(claims, digest);
    if (state.holder === null || state.tenant === null) return null;
    const user = (await this.aggregates.load(USERS, state.holder)).state;
    if (user.kind === 'registered' && user.names[member] === digest) return null;
    const since = new Date(Date.parse(state.since) + LAPSES_AFTER).toISOString();
    return { kind: 'claim-not-lapsed', tenant: state.tenant, since, stream, related: [`user-${state.holder}`] };
  }

  /** Returns the lists of users that are neither complete nor undone in time. */
  private async unsettledLists(): Promise<readonly Stuck[]> {
    const lists = await new StateStore<UserList>(this.documents, USER_LISTS).find({}, { sort: ['createdAt'], limit: MAX_READ, offset: 0 });
    return lists.map(({ value: { tenant, userIds }, fields }) => {
      const since = new Date(Date.parse(String(fields['createdAt'])) + FORGOTTEN_AFTER).toISOString();
      const [stream = '', ...related] = userIds.map((id: UserId) => `user-${id}`);
      return { kind: 'users-not-settled', tenant, since, stream, related };
    });
  }

  /** Returns the deliveries whose attempt is overdue, and those of which no attempt follows because their receiver accepts none. */
  private async stuckDeliveries(cutoff: Date): Promise<{ readonly found: readonly Found[]; readonly isComplete: boolean }> {
    const to = cutoff.toISOString();
    const read = async (status: string): Promise<readonly Delivery[]> =>
      (
        await this.documents.find(DELIVERIES, { where: { status, createdAt: { to } }, sort: ['createdAt'], limit: MAX_READ, offset: 0 })
      ).map((document) => deliveryFromDocument(document).delivery);
    const [pending, parked] = await Promise.all([read('pending'), read('parked')]);
    const overdue = pending.flatMap((delivery) =>
      delivery.nextAttemptAt === null || delivery.nextAttemptAt > to
        ? []
        : [foundDelivery('delivery-overdue', delivery, delivery.nextAttemptAt)],
    );
    const givenUp = parked
      .filter(({ parkedBecause = 'exhausted' }) => parkedBecause === 'exhausted' || parkedBecause === 'gone')
      .map((delivery) => foundDelivery('delivery-given-up', delivery, delivery.attempts.at(-1)?.at ?? delivery.createdAt));
    return { found: [...overdue, ...givenUp], isComplete: pending.length < MAX_READ && parked.length < MAX_READ };
  }

  private async explain({ stuck, delivery }: Found, known: Known): Promise<ShownStuck> {
    const { after, ...shown } = stuck;
    const target = delivery && {
      deliveryId: delivery.id,
      ...(delivery.target.kind === 'webhook' && { webhookId: delivery.target.webhookId }),
    };
    return { ...shown, ...target, ...(delivery ? causeOfDelivery(stuck, delivery) : await this.causeOf(stuck, after, known)) };
  }

  private async causeOf(stuck: Stuck, after: Stuck['after'], known: Known): Promise<Explanation> {
    const { parked, calls, published } = known;
    const streams = [stuck.stream, ...stuck.related];
    const fault = streams.map((stream) => this.faults.of(stream)).find((one) => one !== undefined);
    if (fault) return { cause: 'broken', why: fault.reason, helps: REMEDIES[fault.kind] };
    const isTimed = stuck.kind === 'order-not-expired' || stuck.kind === 'application-not-expired';
    const model = stuck.kind === 'order-not-expired' ? 'orders' : 'adoptions';
    const blocking = parked.find(
      ({ kind, name, stream }) => kind !== 'delivery' && streams.includes(stream) && (isTimed ? name === model : BLOCKING.has(name)),
    );
    if (blocking) return parkedCause(blocking);
    if (stuck.kind === 'users-not-settled') return NO_TIMER;
    if (stuck.kind === 'claim-not-lapsed') return CLAIM;
    if (isTimed || !after) return this.causeOfTimer(stuck, model, known);
    if (this.decisions.skippedBy(after)?.includes(REACTOR))
      return {
        cause: 'skipped',
        why: `an operator lets the processes leave out ${after.type}, revision ${after.revision} of ${after.stream}`,
        helps: 'a request that does what is missing: the processes do not handle again what they have left out',
      };
    const call = calls.find((one) => stuck.related.includes(`payment-${paymentOfCall(one)}`));
    if (call) return gatewayCause(call);
    if (calls.length === MAX_READ && stuck.kind === 'payment-processing') return MANY_CALLS;
    // A store on one folder has no relay, and no checkpoint of one.
    if (published > 0 && published < after.position)
      return {
        cause: 'not-published',
        why: `the relay has not published ${after.type}, revision ${after.revision} of ${after.stream}: Kafka is away, or no worker has the role relay`,
        helps: 'start Kafka, or a worker with the role relay: it goes on by itself',
      };
    return {
      cause: 'unknown',
      why: `nothing has followed from ${after.type}, revision ${after.revision} of ${after.stream}: no process has handled it, or one has handled it without result`,
      helps: `see that a process with the role consumers runs, then read its log and petstore history ${after.stream}`,
    };
  }

  private async causeOfTimer({ stream }: Stuck, model: string, { states }: Known): Promise<Explanation> {
    const pause = this.decisions.current().paused?.[model];
    if (pause)
      return {
        cause: 'paused',
        why: `${pause.by} has paused the read model ${model}, by which it is found`,
        helps: `petstore projections resume ${model}`,
      };
    const [first] = await this.store.readStream(stream, 0, 1);
    const state = states.find(({ name }) => name === model);
    if (state && first && state.position < first.position)
      return { cause: 'behind', why: `the read model ${model}, by which it is found, lacks it`, helps: 'petstore projections status' };
    return NO_TIMER;
  }
}

type Explanation = Pick<ShownStuck, 'cause' | 'why' | 'helps'>;

/** What lets the steps of processes wait if it parks a stream. */
const BLOCKING: ReadonlySet<string> = new Set([REACTOR, ANNOUNCEMENTS, RELAY]);

const NO_TIMER: Explanation = {
  cause: 'unknown',
  why: 'no timer has ended it: no process with the role timers runs, or it fails',
  helps: 'start a process with the role timers, or read its log',
};

const CLAIM: Explanation = {
  cause: 'unknown',
  why: 'the account that has claimed the name does not use it: a request was interrupted',
  helps: 'nothing: whoever wants the name next gets it',
};

/** Only a retry shows what comes of the key of a consumer, not a trial. */
const parkedCause = ({ kind, name, stream, revision, error }: ParkedItem): Explanation => ({
  cause: 'parked',
  why: `${name} has parked ${stream} at revision ${revision}: ${error}`,
  helps: `install a release that handles the event, then: petstore retry ${name} ${stream}${kind === 'stream' ? ' --trial' : ''}`,
});

/** There are more calls than were read. */
const MANY_CALLS: Explanation = {
  cause: 'gateway',
  why: `more than ${MAX_READ.toLocaleString('en')} payments wait for the payment gateway`,
  helps: 'nothing, once the gateway answers: each call is repeated, and charges once',
};

const gatewayCause = ({ attempt }: ClaimedWork): Explanation => ({
  cause: 'gateway',
  why:
    attempt === 0
      ? 'no process has called the payment gateway yet: no worker has the role consumers, or many calls wait'
      : `the payment gateway has not answered: ${attempt === 1 ? 'one call' : `${attempt} calls`} so far, and the next follows within a minute`,
  helps: 'nothing, once the gateway answers: the call is repeated, and charges once',
});

const causeOfDelivery = ({ kind }: Stuck, { stream, target, attempts, parkedBecause = 'exhausted' }: Delivery): Explanation => {
  const last = attempts.at(-1);
  const answer = last?.status === undefined ? (last?.fault ?? 'no attempt') : `status ${last.status}`;
  const receiver = target.kind === 'webhook' ? `the endpoint ${target.webhookId}` : `the callback of order ${target.orderId}`;
  if (kind === 'delivery-overdue')
    return {
      cause: last ? 'receiver' : 'unknown',
      why: `an attempt for ${receiver} is overdue: no process with the role deliveries runs, or the receiver is slow (last: ${answer})`,
      helps: 'start a process with the role deliveries, or read its log',
    };
  const why =
    parkedBecause === 'gone' ? `${receiver} has answered 410 Gone` : `${receiver} has accepted none of the attempts (last: ${answer})`;
  return { cause: 'receiver', why, helps: `when it is up: petstore retry ${DELIVERIES_NAME} ${stream}` };
};

const foundDelivery = (kind: 'delivery-overdue' | 'delivery-given-up', delivery: Delivery, since: string): Found => ({
  stuck: {
    kind,
    tenant: delivery.tenant,
    since,
    stream: delivery.target.kind === 'callback' ? `order-${delivery.target.orderId}` : delivery.stream,
    related: delivery.target.kind === 'webhook' ? [`webhook-${delivery.target.webhookId}`] : [],
  },
  delivery,
});

const compare = (a: Stuck, b: Stuck): number => (a.since < b.since ? -1 : a.since > b.since ? 1 : a.stream < b.stream ? -1 : 1);

const countsOf = (stuck: readonly Stuck[]): readonly StuckCount[] =>
  STUCK_KINDS.flatMap((kind) => {
    const own = stuck.filter((one) => one.kind === kind);
    return own[0] ? [{ kind, count: own.length, oldest: own[0].since }] : [];
  });
