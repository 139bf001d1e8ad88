import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DeliveryStore } from '../../deliveries/delivery-store.js';
import { orderStream, petStream, userStream, type OrderId, type PetId, type UserId } from '../../domain/ids.js';
import { Aggregates } from '../../eventsourcing/aggregates.js';
import { EventCodec } from '../../eventsourcing/event-codec.js';
import { BrokenHistory } from '../../eventsourcing/history.js';
import { aggregateIdOf, categoryOf } from '../../eventsourcing/message.js';
import { Clock } from '../../eventsourcing/ports/clock.port.js';
import { Documents, type Collection, type Where } from '../../eventsourcing/ports/documents.port.js';
import { EventStore } from '../../eventsourcing/ports/event-store.port.js';
import { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { ordersProjection } from '../../projections/orders.projection.js';
import { foldPetName, petNamesProjection } from '../../projections/pet-names.projection.js';
import { petsProjection } from '../../projections/pets.projection.js';
import { usersProjection } from '../../projections/users.projection.js';
import type { ResultOf } from '../request.js';
import { NameClaims } from '../users/names/name-claims.js';
import { createNameDigests } from '../users/names/name-digests.js';
import { AUDITED, auditedAggregate, isInTenant } from './audited.js';
import type { Auditor } from './history.queries.js';
import { scanLog, searchStart } from './scan-log.js';

/** By what a stream was found. */
export const FOUND_BY = ['stream', 'id', 'event', 'delivery', 'number', 'name', 'username', 'email'] as const;

/** A stream that auditors can read, and by what it was found; or a request that has caused events. */
export type Found =
  | { readonly kind: 'stream'; readonly stream: string; readonly by: (typeof FOUND_BY)[number] }
  | { readonly kind: 'request'; readonly requestId: string };

/**
 * What a text stands for: the name of a stream, an id, the number of a pet, order or user, the exact name of a pet, or the exact
 * username or email address of an account (contract 35.16). Only those of the auditor's tenant.
 */
export class FindInHistory extends Query<readonly Found[]> {
  constructor(
    readonly text: string,
    readonly auditor: Auditor,
  ) {
    super();
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const STREAM = /^[a-z]+-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NUMBER = /^[1-9]\d{0,14}$/;

/** The maximum number of pets that one name finds. */
const MAX_PETS = 20;

@QueryHandler(FindInHistory)
export class FindInHistoryHandler implements IQueryHandler<FindInHistory> {
  private readonly claims: NameClaims;

  constructor(
    private readonly aggregates: Aggregates,
    private readonly store: EventStore,
    private readonly codec: EventCodec,
    private readonly keys: KeyVault,
    private readonly documents: Documents,
    clock: Clock,
  ) {
    this.claims = new NameClaims({ aggregates, clock });
  }

  async execute({ text, auditor }: FindInHistory): Promise<ResultOf<FindInHistory>> {
    const name = text.trim();
    const lower = name.toLowerCase();
    if (UUID.test(lower)) return this.byId(lower, auditor);
    const found = [
      // A username may look like the name of a stream.
      ...(STREAM.test(lower) ? await this.byStream(lower, auditor) : []),
      ...(NUMBER.test(name) ? await this.byNumber(Number(name), auditor) : []),
      ...(await this.byPetName(name, auditor)),
    ];
    // A name shows that an account exists, so whoever may not see personal values finds none by it.
    return auditor.isPersonalShown ? [...found, ...(await this.byAccountName(name, auditor))] : found;
  }

  private async byStream(stream: string, auditor: Auditor): Promise<readonly Found[]> {
    return (await this.isShown(stream, auditor)) ? [{ kind: 'stream', stream, by: 'stream' }] : [];
  }

  private async byId(id: string, auditor: Auditor): Promise<readonly Found[]> {
    const streams = Object.keys(AUDITED).map((category) => `${category}-${id}`);
    const shown = await Promise.all(streams.map((stream) => this.isShown(stream, auditor)));
    const found = streams.filter((_, nth) => shown[nth]).map((stream): Found => ({ kind: 'stream', stream, by: 'id' }));
    if (found.length > 0) return found;
    const delivery = await new DeliveryStore(this.documents).read(id);
    if (delivery) return delivery.tenant === auditor.tenant ? [{ kind: 'stream', stream: delivery.stream, by: 'delivery' }] : [];
    return this.byEventOrRequest(id, auditor);
  }

  /** Reads at most 10,000 events. The ids that the service makes begin with their time, so these are the right ones for them. */
  private async byEventOrRequest(id: string, { tenant }: Auditor): Promise<readonly Found[]> {
    const time = timeOf(id);
    const start = time === null ? 0 : await searchStart(this.store, this.codec, time);
    const { events } = await scanLog({ store: this.store, codec: this.codec }, { tenant, anyId: id }, start, 1);
    const [event] = events;
    if (!event) return [];
    if (event.id !== id) return [{ kind: 'request', requestId: id }];
    return auditedAggregate(categoryOf(event.meta.stream)) ? [{ kind: 'stream', stream: event.meta.stream, by: 'event' }] : [];
  }

  private async byNumber(number: number, { tenant }: Auditor): Promise<readonly Found[]> {
    const keysOf = (collection: Collection) => this.keysOf(collection, { tenant, number }, 1);
    const [pets, orders, users] = await Promise.all(
      [petsProjection, ordersProjection, usersProjection].map((one) => keysOf(one.collection)),
    );
    return [
      ...(pets ?? []).map((id) => petStream(id as PetId)),
      ...(orders ?? []).map((id) => orderStream(id as OrderId)),
      ...(users ?? []).map((id) => userStream(id as UserId)),
    ].map((stream) => ({ kind: 'stream', stream, by: 'number' }));
  }

  private async byPetName(name: string, { tenant }: Auditor): Promise<readonly Found[]> {
    const ids = await this.keysOf(petNamesProjection.collection, { tenant, name: foldPetName(name) }, MAX_PETS);
    return ids.map((id) => ({ kind: 'stream', stream: petStream(id as PetId), by: 'name' }));
  }

  /** Names are sealed in the log. Their digests are the names of the streams of their claims, so no event is opened. */
  private async byAccountName(name: string, auditor: Auditor): Promise<readonly Found[]> {
    const digests = (await createNameDigests(this.keys)).of(auditor.tenant, { username: name, email: name });
    const found: Found[] = [];
    for (const by of ['username', 'email'] as const) {
      const holder = await this.claims.holderOf(by, digests);
      if (holder !== null && (await this.isShown(userStream(holder), auditor)))
        found.push({ kind: 'stream', stream: userStream(holder), by });
    }
    return found;
  }

  private async keysOf(collection: Collection, where: Where, limit: number): Promise<readonly string[]> {
    return (await this.documents.find(collection, { where, sort: [], limit, offset: 0 })).map(({ key }) => key);
  }

  /** A broken stream of the tenant is shown, too: its history says what is wrong. */
  private async isShown(stream: string, { tenant }: Auditor): Promise<boolean> {
    const aggregate = auditedAggregate(categoryOf(stream));
    if (!aggregate) return false;
    return isInTenant(this.aggregates, aggregate, aggregateIdOf(stream), tenant).catch((error: unknown) => {
      if (error instanceof BrokenHistory) return true;
      throw error;
    });
  }
}

/** Returns the time in an id of version 7 (RFC 9562) in ISO 8601, or null for another id. */
const timeOf = (id: string): string | null =>
  UUID.exec(id)?.[1] === '7' ? new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)).toISOString() : null;
