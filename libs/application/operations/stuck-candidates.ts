import { adoptionsProjection } from '../../projections/adoptions.projection.js';
import { ordersProjection } from '../../projections/orders.projection.js';
import { petsProjection } from '../../projections/pets.projection.js';
import type { AdoptionId, OrderId, PetId } from '../../domain/ids.js';
import { aggregateIdOf, categoryOf } from '../../eventsourcing/message.js';
import type { Collection, Documents, DocumentQuery, StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import type { StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import { recordedTimeOf } from '../../runtime/codec/monotonic-clock.js';
import type { Holds } from './stuck.js';

/** The maximum number of documents of each kind that a search reads, the oldest first. */
const MAX_DOCUMENTS = 10_000;
const PAGE = 1_000;
/** The number of documents that are read at the same time. */
const AT_ONCE = 32;

/** What may be stuck: the streams decide. */
export type Candidates = {
  readonly orders: ReadonlySet<OrderId>;
  readonly adoptions: ReadonlySet<AdoptionId>;
  /** Pets that may be reserved for an order which was not placed. */
  readonly pets: ReadonlySet<PetId>;
  /** The streams of names that an account may have claimed without using them. */
  readonly claims: ReadonlySet<string>;
};

async function* pagesOf(
  documents: Pick<Documents, 'find'>,
  query: Omit<DocumentQuery, 'limit' | 'offset'>,
  collection: Collection,
): AsyncGenerator<readonly StoredDocument[]> {
  for (let offset = 0; offset < MAX_DOCUMENTS; offset += PAGE) {
    const page = await documents.find(collection, { ...query, limit: PAGE, offset });
    yield page;
    if (page.length < PAGE) return;
  }
}

/** Calls `work` for each item, several at a time. */
export const eachOf = async <T>(items: Iterable<T>, work: (item: T) => Promise<void>): Promise<void> => {
  const iterator = items[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (let next = iterator.next(); !next.done; next = iterator.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
};

/**
 * Returns what read models show as open. `isComplete` is false if they show more than MAX_DOCUMENTS of a kind. A read model may lack
 * events: what they change is found in the log.
 */
export const shownAsOpen = async (
  documents: Pick<Documents, 'find' | 'get'>,
  holds: Holds,
  cutoff: Date,
): Promise<{ readonly orders: readonly OrderId[]; readonly adoptions: readonly AdoptionId[]; readonly isComplete: boolean }> => {
  const orders: OrderId[] = [];
  const adoptions: AdoptionId[] = [];
  let isComplete = true;
  const to = cutoff.toISOString();
  const isPending = async (petId: unknown): Promise<boolean> => (await statusOfPet(documents, String(petId))) === 'PENDING';
  const read = async (
    query: Omit<DocumentQuery, 'limit' | 'offset'>,
    collection: Collection,
    add: (document: StoredDocument) => Promise<void>,
  ): Promise<void> => {
    let count = 0;
    for await (const page of pagesOf(documents, query, collection)) {
      count += page.length;
      await eachOf(page, add);
    }
    if (count === MAX_DOCUMENTS) isComplete = false;
  };
  const unpaidSince = new Date(cutoff.getTime() - holds.order).toISOString();
  await read(
    { where: { status: 'placed', placedAt: { to } }, sort: ['placedAt'] },
    ordersProjection.collection,
    async ({ key, json, fields, revision }) => {
      // The first event alone starts no payment.
      const isPaying = revision > 0 && (JSON.parse(json) as { readonly paymentStatus?: string }).paymentStatus === 'processing';
      if (isPaying || String(fields['placedAt']) <= unpaidSince) orders.push(key as OrderId);
    },
  );
  await read(
    { where: { status: 'approved', placedAt: { to } }, sort: ['placedAt'] },
    ordersProjection.collection,
    async ({ key, fields }) => {
      if (await isPending(fields['petId'])) orders.push(key as OrderId);
    },
  );
  const undecidedSince = new Date(cutoff.getTime() - holds.adoption).toISOString();
  await read(
    { where: { status: 'submitted', submittedAt: { to } }, sort: ['submittedAt'] },
    adoptionsProjection.collection,
    async ({ key, fields, revision }) => {
      // The second event of an open application starts its approval.
      const isDue = revision > 0 || String(fields['submittedAt']) <= undecidedSince;
      if (isDue || !(await isPending(fields['petId']))) adoptions.push(key as AdoptionId);
    },
  );
  return { orders, adoptions, isComplete };
};

/** Returns the status that the read model shows of a pet. Null: it shows none. */
const statusOfPet = async (documents: Pick<Documents, 'get'>, id: string): Promise<unknown> => {
  // The streams of a broken pet decide, not its document.
  const pet = await documents.get(petsProjection.collection, id).catch(() => null);
  return pet && pet.fields['status'];
};

/** What the events of the log have begun. A later event ends it. */
type Begun = Map<string, (add: Mutable) => void>;
type Mutable = { readonly [K in keyof Candidates]: Candidates[K] extends ReadonlySet<infer T> ? Set<T> : never };

type Data = {
  readonly holder?: { readonly id: OrderId };
  readonly paymentId?: string;
  readonly adoptionId?: AdoptionId;
  readonly adoptionIds?: readonly AdoptionId[];
  readonly usernameDigest?: string;
  readonly emailDigest?: string;
};

/** The categories of streams whose events a search follows. Other events are not parsed. */
const CATEGORIES: ReadonlySet<string> = new Set(['pet', 'order', 'payment', 'adoption', 'username', 'email', 'user']);

/** Returns what these events, in the order of the log, have begun and not ended. Orders and applications that are not due yet wait for nobody. */
export const unfinishedIn = (events: readonly StoredEvent[], holds: Holds, cutoff: Date): Candidates => {
  const begun: Begun = new Map();
  for (const event of events) {
    const { stream, type } = event;
    const category = categoryOf(stream);
    const data = CATEGORIES.has(category) ? dataOf(event) : null;
    if (!data) continue;
    const id = aggregateIdOf(stream);
    follow(begun, category, id, type, data);
    const hold = type === 'OrderPlaced' ? holds.order : type === 'AdoptionSubmitted' ? holds.adoption : null;
    const time = hold === null ? null : recordedTimeOf(event);
    if (hold === null || !time || time.getTime() + hold > cutoff.getTime()) continue;
    begun.set(
      `expire ${id}`,
      ({ orders, adoptions }) => void (category === 'order' ? orders.add(id as OrderId) : adoptions.add(id as AdoptionId)),
    );
  }
  const candidates: Mutable = { orders: new Set(), adoptions: new Set(), pets: new Set(), claims: new Set() };
  for (const add of begun.values()) add(candidates);
  return candidates;
};

/** Returns the data of an event, or null if it is no JSON: somebody has altered it. */
const dataOf = ({ data }: StoredEvent): Data | null => {
  try {
    return JSON.parse(data) as Data;
  } catch {
    return null;
  }
};

const follow = (begun: Begun, category: string, id: string, type: string, data: Data): void => {
  const beginOrder = (step: string): void => void begun.set(`${step} ${id}`, ({ orders }) => void orders.add(id as OrderId));
  const beginAdoption = (step: string): void => void begun.set(`${step} ${id}`, ({ adoptions }) => void adoptions.add(id as AdoptionId));
  const end = (...keys: readonly string[]): void => keys.forEach((key) => begun.delete(key));
  const holder = data.holder?.id ?? '';
  switch (type) {
    case 'PetReserved':
      return void begun.set(`place ${holder}`, ({ pets }) => void pets.add(id as PetId));
    case 'PetReleased':
      return end(`place ${holder}`, `release ${holder}`, `adopt ${holder}`);
    case 'PetAdopted':
      return end(`adopt ${holder}`);
    case 'PetHeldForAdoption':
      return end(...(data.adoptionIds ?? []).map((adoptionId) => `hold ${adoptionId}`));
    case 'PetAdoptedByApplication':
      return end(`hold ${data.adoptionId}`);
    case 'OrderPlaced':
      return end(`place ${id}`);
    case 'OrderPaymentStarted':
      // A payment that fails leaves the order to expire.
      return beginOrder('pay');
    case 'OrderPaymentFailed':
      return end(`pay ${id}`);
    case 'OrderApproved':
      end(`pay ${id}`, `expire ${id}`);
      return beginOrder('adopt');
    case 'OrderCancelled':
      end(`pay ${id}`, `adopt ${id}`, `expire ${id}`);
      if (data.paymentId !== undefined) begun.set(`refund ${data.paymentId}`, ({ orders }) => void orders.add(id as OrderId));
      return beginOrder('release');
    case 'OrderPaymentRefunded':
      return end(`refund ${data.paymentId}`);
    case 'PaymentFailed':
    case 'PaymentRefunded':
      return end(`refund ${id}`);
    case 'AdoptionSubmitted':
      return beginAdoption('hold');
    case 'AdoptionApprovalStarted':
      return beginAdoption('decide');
    case 'AdoptionApproved':
      return end(`decide ${id}`, `hold ${id}`, `expire ${id}`);
    case 'AdoptionRejected':
    case 'AdoptionWithdrawn':
    case 'AdoptionExpired':
      end(`decide ${id}`, `hold ${id}`, `expire ${id}`);
      return beginAdoption('free');
    case 'UsernameClaimed':
    case 'EmailClaimed':
      return void begun.set(`${category}-${id}`, ({ claims }) => void claims.add(`${category}-${id}`));
    case 'UsernameFreed':
    case 'EmailFreed':
      return end(`${category}-${id}`);
    case 'UserRegistered':
    case 'UserRevised':
      return end(`username-${data.usernameDigest}`, `email-${data.emailDigest}`);
    default:
      return undefined;
  }
};
