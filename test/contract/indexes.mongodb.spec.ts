import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { MongoClient, Db, Document } from 'mongodb';
import { ListOrdersHandler } from '../../libs/application/orders/order.queries.js';
import { ListOrders } from '../../libs/application/orders/order.queries.js';
import { ListPetsHandler, SearchPetsHandler } from '../../libs/application/pets/pet.queries.js';
import { ListPets, SearchPets } from '../../libs/application/pets/pet.queries.js';
import type { Collection, DocumentWrite, Fields } from '../../libs/eventsourcing/ports/documents.port.js';
import { ordersProjection } from '../../libs/projections/orders.projection.js';
import { paymentsProjection } from '../../libs/projections/payments.projection.js';
import { petsProjection } from '../../libs/projections/pets.projection.js';
import { projections } from '../../libs/projections/projections.js';
import { sharedMongod } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { clientForTest, mongoForTest, type MongoUnderTest } from './mongo.js';

const NAME = 'the read models’ indexes in MongoDB';
const TENANT = 'shared';
const DOCUMENTS_EACH = 200;
const PAGE = 20;

/** Returns the first fields of an index as a query plan shows them: `f.tenant: 1, f.createdAt: -1`. */
const plannedPrefix = (index: string): string =>
  index
    .split(' ')
    .map((field) => `${field === 'amount' ? field : `f.${field.replace(/^-/, '')}`}: ${field.startsWith('-') ? -1 : 1}`)
    .join(', ');

const nameOf = (fields: readonly string[]): string => `by ${fields.join(' ')}`;

/** The names of the indexes that the projections declare, by collection in the database. */
const DECLARED: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  projections.flatMap(({ collection: { name, version, indexes, cells } }) => [
    [`${name}_v${version}_1`, indexes.map((index) => nameOf(index.some((field) => /^-?key$/.test(field)) ? index : [...index, '-key']))],
    [`${name}_v${version}_1_cells`, cells.length > 0 ? [nameOf([...cells, 'amount'])] : []],
  ]),
);

const SPECIES = ['DOG', 'CAT', 'BIRD'];
const fieldsFor: Readonly<Record<string, (index: number) => Fields>> = {
  pets: (index) => ({
    tenant: index % 4 ? TENANT : 'other',
    status: index % 3 ? 'AVAILABLE' : 'PENDING',
    species: SPECIES[index % 3] ?? null,
    size: 'SMALL',
    goodWithKids: index % 2,
    ageMonths: index % 50,
    createdAt: new Date(index * 1000).toISOString(),
    priceMinor: index % 5 ? index * 100 : null,
    vaccinated: 1,
    spayedNeutered: null,
    specialNeeds: 0,
  }),
  orders: (index) => ({
    tenant: index % 4 ? TENANT : 'other',
    status: index % 3 ? 'placed' : 'approved',
    petId: `pet ${index}`,
    userId: index % 2 ? 'anna' : null,
    placedAt: new Date(index * 1000).toISOString(),
  }),
  payments: (index) => ({ tenant: TENANT, orderId: `order ${index >> 1}`, requestedAt: new Date(index * 1000).toISOString() }),
  webhooks: (index) => ({
    tenant: index % 4 ? TENANT : 'other',
    status: 'enabled',
    createdAt: new Date(index * 1000).toISOString(),
    secret: 1,
    rotatedAt: null,
    enabledAt: new Date(index * 1000).toISOString(),
  }),
};

const writesFor = (collection: Collection): readonly DocumentWrite[] =>
  Array.from({ length: DOCUMENTS_EACH }, (_, index): readonly DocumentWrite[] => {
    const fields = fieldsFor[collection.name]?.(index) ?? {};
    const cell = collection.cells.map((name) => fields[name] ?? null);
    return [
      { kind: 'put', collection, document: { key: String(index), json: '{}', fields, revision: 0 } },
      ...(cell.length > 0 ? [{ kind: 'increment', collection, cell, by: 1 } as const] : []),
    ];
  }).flat();

describeIfAvailable(NAME, await sharedMongod(), ({ url }) =>
  describe(NAME, () => {
    let mongo: MongoUnderTest;
    let client: MongoClient;
    let database: Db;
    beforeAll(async () => {
      client = clientForTest(url);
      mongo = await mongoForTest(url);
      database = client.db(mongo.database);
      for (const { collection } of projections) {
        await mongo.projectionDocuments.prepare(collection);
        await mongo.projectionDocuments.apply(writesFor(collection));
      }
    });
    afterAll(async () => {
      await mongo.drop();
    });

    it('are those that the projections declare', async () => {
      const found = await Promise.all(
        Object.keys(DECLARED).map(async (name) => {
          const indexes = await database.collection(name).indexes();
          return [name, indexes.map((index) => index.name).filter((index) => index !== '_id_')] as const;
        }),
      );
      expect(Object.fromEntries(found)).toEqual(DECLARED);
      const all = await database.listCollections({ name: /_v[0-9]+_/ }, { nameOnly: true }).toArray();
      expect(all.map(({ name }) => String(name)).sort()).toEqual(Object.keys(DECLARED).sort());
    });

    /** Returns the database's profile of the commands that `action` caused. */
    const profileOf = async (action: () => Promise<unknown>): Promise<readonly Document[]> => {
      await database.command({ profile: 2 });
      await action();
      await database.command({ profile: 0 });
      const profile = database.collection('system.profile');
      const recorded = await profile.find({ ns: { $regex: /_v[0-9]+_/ }, planSummary: { $exists: true } }).toArray();
      await profile.drop();
      return recorded;
    };

    const pets = (filter: Partial<ListPets['filter']>) => (): Promise<unknown> =>
      new ListPetsHandler(mongo.documents).execute(new ListPets({ status: 'AVAILABLE', ...filter }, 1, PAGE, TENANT));
    const search = (criteria: SearchPets['criteria'], sort?: SearchPets['sort']) => (): Promise<unknown> =>
      new SearchPetsHandler(mongo.documents).execute(new SearchPets(criteria, sort, 1, PAGE, TENANT));
    const orders = (filter: ListOrders['filter']) => (): Promise<unknown> =>
      new ListOrdersHandler(mongo.documents).execute(new ListOrders(filter, 1, PAGE, TENANT));

    it.each<[string, () => Promise<unknown>, number, string]>([
      ['the list of pets', pets({}), 2, 'tenant status -createdAt'],
      ['the list of pets in every status', pets({ status: 'ALL' }), 2, 'tenant status -createdAt'],
      [
        'the list of pets with every filter',
        pets({ species: 'CAT', size: 'SMALL', goodWithKids: true, ageMin: 1, ageMax: 90 }),
        2,
        'tenant status species -createdAt',
      ],
      ['the search without criteria', search({}), 2, 'tenant status -createdAt'],
      [
        'the search by price, cheapest first',
        search({ species: ['DOG', 'CAT'] }, { field: 'price', order: 'ASC' }),
        2,
        'tenant status priceMinor',
      ],
      ['the search by price, most expensive first', search({}, { field: 'price', order: 'DESC' }), 2, 'tenant status priceMinor'],
      ['the search by age', search({ ageRange: { min: 3 } }, { field: 'ageMonths', order: 'ASC' }), 2, 'tenant status ageMonths'],
      [
        'the search with medical criteria',
        search({ medical: { vaccinated: true } }, { field: 'ageMonths', order: 'DESC' }),
        2,
        'tenant status ageMonths',
      ],
      ['the list of orders', orders({}), 2, 'tenant -placedAt'],
      ['the list of orders by status', orders({ status: 'placed' }), 2, 'tenant status -placedAt'],
      ['the list of a user’s orders', orders({ userId: 'anna' }), 2, 'tenant userId -placedAt'],
      ['the list of a pet’s orders', orders({ petId: 'pet 7' }), 2, 'tenant petId -placedAt'],
      ['the inventory', () => mongo.documents.sum(ordersProjection.collection, { tenant: TENANT }, 'status'), 1, 'tenant status amount'],
      ['the pets in stock', () => mongo.documents.sum(petsProjection.collection, { tenant: TENANT }, 'status'), 1, 'tenant status species'],
      [
        'the orders that are unpaid for too long',
        () =>
          mongo.documents.find(ordersProjection.collection, {
            where: { status: 'placed', placedAt: { to: '2026' } },
            sort: ['placedAt'],
            limit: 100,
            offset: 0,
          }),
        1,
        'status placedAt',
      ],
      [
        'an order’s latest payment',
        () =>
          mongo.documents.find(paymentsProjection.collection, {
            where: { tenant: TENANT, orderId: 'order 7' },
            sort: ['-requestedAt'],
            limit: 1,
            offset: 0,
          }),
        1,
        'orderId -requestedAt',
      ],
    ])('serve %s', async (_, action, commands, index) => {
      const plans = (await profileOf(action)).map(({ planSummary }) => String(planSummary));
      expect(plans.length).toBeGreaterThanOrEqual(commands);
      for (const plan of plans) expect(plan).toMatch(/^(IXSCAN|COUNT_SCAN) \{ (f\.tenant|f\.status|f\.orderId): 1/);
      expect(plans.at(-1)).toContain(`SCAN { ${plannedPrefix(index)}`);
    });

    it.each<[string, () => Promise<unknown>]>([
      ['the list of pets', pets({})],
      ['the list of one species', pets({ species: 'CAT' })],
      ['the search by price, cheapest first', search({}, { field: 'price', order: 'ASC' })],
      ['the list of orders by status', orders({ status: 'placed' })],
      ['the list of a user’s orders', orders({ userId: 'anna' })],
    ])('return %s in order and read only the documents of the page', async (_, action) => {
      const pages = (await profileOf(action)).filter(({ docsExamined }) => Number(docsExamined) > 0);
      expect(pages.map(({ keysExamined, docsExamined, nreturned }): unknown[] => [keysExamined, docsExamined, nreturned])).toEqual(
        expect.arrayContaining([[PAGE, PAGE, PAGE]]),
      );
    });
  }),
);
