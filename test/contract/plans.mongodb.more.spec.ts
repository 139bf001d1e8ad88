import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Db } from 'mongodb';
import { DELIVERIES } from '../../libs/deliveries/delivery.js';
import { ListOrdersHandler } from '../../libs/application/orders/order.queries.js';
import { ListOrders } from '../../libs/application/orders/order.queries.js';
import { ListPetsHandler, SearchPetsHandler } from '../../libs/application/pets/pet.queries.js';
import { ListPets, SearchPets, type PetCriteria, type PetFilter, type PetSort } from '../../libs/application/pets/pet.queries.js';
import type { Page } from '../../libs/application/request.js';
import { ListWebhooksHandler } from '../../libs/application/webhooks/webhook.queries.js';
import { ListWebhooks } from '../../libs/application/webhooks/webhook.queries.js';
import { PET_STATUSES, SIZES, SPECIES } from '../../libs/domain/pets/pet.events.js';
import {
  checkpointOf,
  type Collection,
  type DocumentWrite,
  type Fields,
  type Scalar,
} from '../../libs/eventsourcing/ports/documents.port.js';
import { ordersProjection } from '../../libs/projections/orders.projection.js';
import { petsProjection } from '../../libs/projections/pets.projection.js';
import { webhooksProjection } from '../../libs/projections/webhooks.projection.js';
import { sharedMongod } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { clientForTest, mongoForTest, type MongoUnderTest } from './mongo.js';

const NAME = 'every list and search of the API on MongoDB';
const PETS = 20_000;
const OTHERS = 5_000;
const TENANT = 'shared';
const LIMIT = 10;

const pick = (values: readonly Scalar[], index: number): Scalar => values[index % values.length] ?? null;
const time = (index: number): string => new Date(1_700_000_000_000 + (index >> 2) * 1000).toISOString();

/**
 * For each read model, a function that returns the fields of document number `index`. Every combination of values occurs, some
 * often and some rarely. Many documents share a time, an age or a price.
 */
const fieldsOf: Readonly<Record<string, (index: number) => Fields>> = {
  pets: (index) => ({
    tenant: index % 9 ? TENANT : 'other',
    status: pick(['AVAILABLE', 'AVAILABLE', 'AVAILABLE', 'PENDING', 'ADOPTED', 'NOT_AVAILABLE'], (index * 7) % 31),
    species: pick([...SPECIES, 'DOG', 'DOG', 'CAT'], (index * 11) % 37),
    size: pick([...SIZES, null], (index * 13) % 41),
    goodWithKids: pick([0, 1, null], (index * 17) % 43),
    ageMonths: (index * 19) % 180,
    createdAt: time(index),
    priceMinor: index % 10 ? ((index * 23) % 500) * 100 : null,
    vaccinated: pick([1, 1, 0, null], (index * 29) % 47),
    spayedNeutered: pick([1, 0, null], (index * 31) % 53),
    specialNeeds: index % 97 ? 0 : 1,
  }),
  orders: (index) => ({
    tenant: index % 9 ? TENANT : 'other',
    status: pick(['placed', 'approved', 'shipped', 'delivered', 'cancelled'], (index * 7) % 31),
    petId: `pet ${index % 50 ? index % 900 : 0}`,
    userId: index % 3 ? `user ${index % 40}` : null,
    placedAt: time(index),
  }),
  webhooks: (index) => ({ tenant: index % 2 ? TENANT : 'other', status: 'enabled', createdAt: time(index) }),
  deliveries: (index) => ({
    tenant: TENANT,
    owner: `endpoint ${index % 3}`,
    status: pick(['delivered', 'delivered', 'pending', 'parked'], (index * 7) % 31),
    createdAt: time(index),
    sequence: `pet-${index % 20}`,
    place: index,
  }),
};

const COUNTS: Readonly<Record<string, number>> = { pets: PETS, orders: OTHERS, webhooks: 200, deliveries: OTHERS };
const COLLECTIONS = [petsProjection, ordersProjection, webhooksProjection].map(({ collection }) => collection).concat(DELIVERIES);
const STEP = 1_000;

const fill = async (mongo: MongoUnderTest, collection: Collection): Promise<void> => {
  await mongo.projectionDocuments.prepare(collection);
  for (let from = 0; from < (COUNTS[collection.name] ?? 0); from += STEP) {
    const writes = Array.from({ length: Math.min(STEP, COUNTS[collection.name] ?? 0) }, (_, index): readonly DocumentWrite[] => {
      const fields = fieldsOf[collection.name]?.(from + index) ?? {};
      const document = { key: String(from + index).padStart(6, '0'), json: '{}', fields, revision: 0 };
      const cell = collection.cells.map((name) => fields[name] ?? null);
      const increments = cell.length > 0 ? [{ kind: 'increment', collection, cell, by: 1 } as const] : [];
      return [{ kind: 'put', collection, document }, ...increments];
    });
    await mongo.projectionDocuments.apply(writes.flat(), { name: checkpointOf(collection), position: from + STEP });
  }
  await mongo.putInService(collection);
};

/** Returns every object that has, for each property, one of its choices. The choice undefined leaves the property out. */
const combinations = <T extends object>(choices: { readonly [K in keyof T]: readonly (T[K] | undefined)[] }): readonly T[] =>
  Object.entries<readonly unknown[]>(choices).reduce<readonly object[]>(
    (all, [name, values]) => all.flatMap((one) => values.map((value) => (value === undefined ? one : { ...one, [name]: value }))),
    [{}],
  ) as readonly T[];

const LISTS = combinations<PetFilter>({
  status: [...PET_STATUSES, 'ALL'],
  species: [undefined, 'DOG', 'REPTILE'],
  size: [undefined, 'SMALL'],
  goodWithKids: [undefined, true],
  ageMin: [undefined, 6],
  ageMax: [undefined, 48],
});

const SORTS: readonly (PetSort | undefined)[] = [
  undefined,
  ...(['ageMonths', 'price'] as const).flatMap((field) => (['ASC', 'DESC'] as const).map((order) => ({ field, order }))),
];

const SEARCHES = combinations<PetCriteria>({
  species: [undefined, ['BIRD'], ['DOG', 'CAT', 'BIRD']],
  size: [undefined, ['LARGE'], ['SMALL', 'LARGE']],
  ageRange: [undefined, { min: 100 }, { min: 12, max: 60 }],
  compatibility: [undefined, { goodWithKids: true }],
  medical: [undefined, { specialNeeds: true }, { vaccinated: true, spayedNeutered: false }],
});

const ORDERS = combinations<ListOrders['filter']>({
  status: [undefined, 'placed'],
  petId: [undefined, 'pet 0'],
  userId: [undefined, 'user 7'],
});

describeIfAvailable(NAME, await sharedMongod(), ({ url }) =>
  describe(NAME, () => {
    let mongo: MongoUnderTest;
    let database: Db;
    beforeAll(async () => {
      mongo = await mongoForTest(url);
      database = clientForTest(url).db(mongo.database);
      for (const collection of COLLECTIONS) await fill(mongo, collection);
      // A profile of this size holds thousands of commands.
      await database.createCollection('system.profile', { capped: true, size: 256_000_000 });
    });
    afterAll(() => mongo.drop());

    type ProfileEntry = {
      readonly ns: string;
      readonly command: { readonly filter?: object; readonly sort?: object; readonly skip?: number; readonly pipeline?: object };
      readonly planSummary: string;
      readonly docsExamined: number;
      readonly keysExamined: number;
      readonly hasSortStage?: boolean;
    };

    /** Returns the profile entries of the commands that `work` sends. They contain the executed plans. */
    const plansOf = async (work: () => Promise<void>): Promise<readonly ProfileEntry[]> => {
      const since = new Date();
      await database.command({ profile: 2 });
      await work();
      await database.command({ profile: 0 });
      const ns = { $regex: '_v[0-9]+_1(_cells)?$' };
      return database
        .collection('system.profile')
        .find<ProfileEntry>({ ns, ts: { $gte: since }, op: { $in: ['query', 'command'] } })
        .toArray();
    };

    type List = (page: number) => Promise<Page>;

    /** Requests the first and the last page of each list. */
    const firstAndLast = (lists: readonly List[]) => async (): Promise<void> => {
      for (const list of lists) {
        const { items, totalItems } = await list(1);
        expect(items).toHaveLength(Math.min(LIMIT, totalItems));
        const last = Math.ceil(totalItems / LIMIT);
        if (last > 1) expect((await list(last)).items).toHaveLength(totalItems - (last - 1) * LIMIT);
      }
    };

    const describePlan = ({ ns, command, planSummary, docsExamined, keysExamined, hasSortStage = false }: ProfileEntry) => ({
      ns: ns.split('.')[1],
      query: JSON.stringify({ filter: command.filter, sort: command.sort, skip: command.skip, pipeline: command.pipeline }),
      plan: planSummary.replaceAll(/ \{.*?\}/g, ''),
      docsExamined,
      keysExamined,
      sortedInMemory: hasSortStage,
    });

    /** Expects that each list uses an index, and reads only a few more documents than it returns. */
    const expectIndexed = async (lists: readonly List[]): Promise<void> => {
      const plans = (await plansOf(firstAndLast(lists))).map(describePlan);
      expect(plans.length).toBeGreaterThanOrEqual(lists.length);
      for (const plan of plans) {
        const maximum = plan.query.includes('$group') ? 0 : 10 * LIMIT;
        if (plan.docsExamined > maximum || plan.sortedInMemory || !/^(IXSCAN|COUNT_SCAN)(, IXSCAN)*$/.test(plan.plan))
          throw new Error(`reads more than it returns: ${JSON.stringify(plan)}`);
      }
    };

    const lists = LISTS.map(
      (filter): List =>
        (page) =>
          new ListPetsHandler(mongo.documents).execute(new ListPets(filter, page, LIMIT, TENANT)),
    );
    const searches = (sort: PetSort | undefined): readonly List[] =>
      SEARCHES.map(
        (criteria) => (page) => new SearchPetsHandler(mongo.documents).execute(new SearchPets(criteria, sort, page, LIMIT, TENANT)),
      );
    const orders = ORDERS.map(
      (filter): List =>
        (page) =>
          new ListOrdersHandler(mongo.documents).execute(new ListOrders(filter, page, LIMIT, TENANT)),
    );

    it(`lists pets (${LISTS.length} filters)`, () => expectIndexed(lists));

    it.each(SORTS.map((sort) => [sort ? `by ${sort.field} ${sort.order}` : 'newest first', sort] as const))(
      `searches pets %s (${SEARCHES.length} criteria)`,
      (_, sort) => expectIndexed(searches(sort)),
    );

    it('lists orders, webhook endpoints and deliveries', async () => {
      const webhooks: List = (page) => new ListWebhooksHandler(mongo.documents).execute(new ListWebhooks(page, LIMIT, TENANT));
      const deliveries = [{}, { status: 'parked' }].map((filter): List => async (page) => {
        const where = { owner: 'endpoint 1', ...filter };
        const [items, totalItems] = await Promise.all([
          mongo.documents.texts(DELIVERIES, { where, sort: ['-createdAt'], limit: LIMIT, offset: (page - 1) * LIMIT }),
          mongo.documents.count(DELIVERIES, where),
        ]);
        return { items, totalItems };
      });
      const old = { status: 'delivered', createdAt: { from: '', to: time(OTHERS) } };
      const toDelete: List = async () => {
        const items = await mongo.documents.texts(DELIVERIES, { where: old, sort: ['createdAt'], limit: LIMIT, offset: 0 });
        return { items, totalItems: items.length };
      };
      await expectIndexed([...orders, webhooks, ...deliveries, toDelete]);
    });
  }),
);
