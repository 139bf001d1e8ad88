import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { DeliveryStore } from '../../deliveries/delivery-store.js';
import { positionBefore } from '../../deliveries/redelivery/positions-by-time.js';
import { orderStream, petStream, userStream, type OrderId, type PetId, type UserId } from '../../domain/ids.js';
import { Aggregates } from '../../eventsourcing/aggregates.js';
import { EventCodec } from '../../eventsourcing/event-codec.js';
import { BrokenHistory } from '../../eventsourcing/history.js';
import { aggregateIdOf, categoryOf, type RecordedEvent } from '../../eventsourcing/message.js';
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
import { AUDITED, auditedAggregate, type AuditedAggregate } from './audited.js';
import { scanLog } from './scan-log.js';

/** By what a stream was found. */
export const FOUND_BY = ['stream', 'id', 'event', 'delivery', 'number', 'name', 'username', 'email'] as const;

/** A stream that auditors can read, and by what it was found; or a request that has caused events. */
export type Found =
  | { readonly kind: 'stream'; readonly stream: string; readonly by: (typeof FOUND_BY)[number]; readonly tenant: string }
  | { readonly kind: 'request'; readonly requestId: string; readonly tenant: string };

/**
 * What a text stands for: the name of a stream, an id, the number of a pet, order or user, the exact name of a pet, or the exact
 * username or email address of an account (contract 35.16). Only those of the tenant. If that is null, only ids and streams are
 * looked for, in all tenants: names and numbers are those of a tenant.
 */
export class FindInHistory extends Query<readonly Found[]> {
  constructor(
    readonly text: string,
    readonly tenant: string | null,
    readonly isPersonalShown: boolean,
  ) {
    super();
  }
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const STREAM = /^[a-z]+-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NUMBER = /^[1-9]\d{0,14}$/;

/** The maximum number of pets that one name finds. */
const MAX_PETS = 20;

/** Milliseconds before and after the time in an id. The process that makes the id records the event, so clocks matter little. */
const AROUND = 5_000;
/** Each scan reads up to 10,000 events. */
const MAX_SCANS = 5;

@QueryHandler(FindInHistory)
export class FindInHistoryHandler implements IQueryHandler<FindInHistory> {
  private readonly claims: NameClaims;

  constructor(
    private readonly aggregates: Aggregates,
    readonly store: EventStore,
    readonly codec: EventCodec,
    private readonly keys: KeyVault,
    private readonly documents: Documents,
    clock: Clock,
  ) {
    this.claims = new NameClaims({ aggregates, clock });
  }

  async execute({ text, tenant, isPersonalShown }: FindInHistory): Promise<ResultOf<FindInHistory>> {
    const name = text.trim();
    const lower = name.toLowerCase();
    if (UUID.test(lower)) return this.byId(lower, tenant);
    // A username may look like the name of a stream.
    const found = STREAM.test(lower) ? await this.shown(lower, 'stream', tenant) : [];
    if (tenant === null) return found;
    return [
      ...found,
      ...(NUMBER.test(name) ? await this.byNumber(Number(name), tenant) : []),
      ...(await this.byPetName(name, tenant)),
      // A name shows that an account exists, so whoever may not see personal values finds none by it.
      ...(isPersonalShown ? await this.byAccountName(name, tenant) : []),
    ];
  }

  private async byId(id: string, tenant: string | null): Promise<readonly Found[]> {
    const found = (await Promise.all(Object.keys(AUDITED).map((category) => this.shown(`${category}-${id}`, 'id', tenant)))).flat();
    if (found.length > 0) return found;
    const delivery = await new DeliveryStore(this.documents).read(id);
    if (delivery && isOf(tenant, delivery.tenant)) return [{ kind: 'stream', by: 'delivery', ...placeOf(delivery) }];
    return this.byEventOrRequest(id, tenant);
  }

  /** Looks around the time with which the ids that the service makes begin. Another id is not looked for: the log is too long. */
  private async byEventOrRequest(id: string, tenant: string | null): Promise<readonly Found[]> {
    const time = timeOf(id);
    const event = time && (await this.eventWith(id, tenant, time));
    if (!event) return [];
    if (event.id !== id) return [{ kind: 'request', requestId: id, tenant: event.meta.tenant }];
    return auditedAggregate(categoryOf(event.meta.stream)) ? [{ kind: 'stream', by: 'event', ...placeOf(event.meta) }] : [];
  }

  private async eventWith(id: string, tenant: string | null, time: Date): Promise<RecordedEvent | null> {
    const moved = (milliseconds: number): string => new Date(time.getTime() + milliseconds).toISOString();
    const filter = { tenant, anyId: id, to: moved(AROUND) };
    let next: number | null = await positionBefore(this, moved(-AROUND));
    for (let scan = 0; scan < MAX_SCANS && next !== null; scan++) {
      const page: Awaited<ReturnType<typeof scanLog>> = await scanLog(this, filter, next, 1);
      const [event] = page.events;
      if (event) return event;
      ({ next } = page);
    }
    return null;
  }

  private async byNumber(number: number, tenant: string): Promise<readonly Found[]> {
    const keysOf = (collection: Collection) => this.keysOf(collection, { tenant, number }, 1);
    const [pets, orders, users] = await Promise.all(
      [petsProjection, ordersProjection, usersProjection].map((one) => keysOf(one.collection)),
    );
    return [
      ...(pets ?? []).map((id) => petStream(id as PetId)),
      ...(orders ?? []).map((id) => orderStream(id as OrderId)),
      ...(users ?? []).map((id) => userStream(id as UserId)),
    ].map((stream) => ({ kind: 'stream', stream, by: 'number', tenant }));
  }

  private async byPetName(name: string, tenant: string): Promise<readonly Found[]> {
    const ids = await this.keysOf(petNamesProjection.collection, { tenant, name: foldPetName(name) }, MAX_PETS);
    return ids.map((id) => ({ kind: 'stream', stream: petStream(id as PetId), by: 'name', tenant }));
  }

  /** Names are sealed in the log. Their digests are the names of the streams of their claims, so no event is opened. */
  private async byAccountName(name: string, tenant: string): Promise<readonly Found[]> {
    const digests = (await createNameDigests(this.keys)).of(tenant, { username: name, email: name });
    const found: Found[] = [];
    for (const by of ['username', 'email'] as const) {
      const holder = await this.claims.holderOf(by, digests);
      if (holder !== null) found.push(...(await this.shown(userStream(holder), by, tenant)));
    }
    return found;
  }

  private async keysOf(collection: Collection, where: Where, limit: number): Promise<readonly string[]> {
    return (await this.documents.find(collection, { where, sort: [], limit, offset: 0 })).map(({ key }) => key);
  }

  /** Returns a stream if auditors of the tenant read it. A broken stream, too: its history says what is wrong. */
  private async shown(stream: string, by: (typeof FOUND_BY)[number], tenant: string | null): Promise<readonly Found[]> {
    const aggregate = auditedAggregate(categoryOf(stream));
    const owner = aggregate && (await this.tenantOf(aggregate, aggregateIdOf(stream)));
    return owner !== null && isOf(tenant, owner) ? [{ kind: 'stream', stream, by, tenant: owner }] : [];
  }

  private async tenantOf(aggregate: AuditedAggregate, id: string): Promise<string | null> {
    try {
      return (await this.aggregates.load(aggregate, id)).state.tenant;
    } catch (error) {
      if (error instanceof BrokenHistory) return error.fault.tenant;
      throw error;
    }
  }
}

const isOf = (tenant: string | null, owner: string): boolean => tenant === null || owner === tenant;

const placeOf = ({ stream, tenant }: { readonly stream: string; readonly tenant: string }) => ({ stream, tenant });

/** Returns the time in an id of version 7 (RFC 9562), or null for another id. */
const timeOf = (id: string): Date | null =>
  UUID.exec(id)?.[1] === '7' ? new Date(Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16)) : null;
