import { expect, it } from '@jest/globals';
import { createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import { SIZES, SPECIES } from '../../libs/domain/pets/pet.events.js';
import type { Condition, DocumentQuery, Fields } from '../../libs/eventsourcing/ports/documents.port.js';
import { naive, type Row } from '../../libs/search/facets.fixtures.js';
import { eventually } from '../eventually.js';
import type { Call } from '../servers/calling.js';
import { untilPauseHolds } from './hold-of-pause.js';

/** A service, and what is behind its interface. */
export type SearchedService = {
  readonly call: Call;
  /** Returns the JSON of all documents of pets, from the database itself. */
  readonly documents: () => Promise<readonly string[]>;
  /** Appends an event to a stream that the read model of pets cannot apply. Null: the service must not run for that. */
  readonly breakStream: ((stream: string) => Promise<void>) | null;
};

const QUERIES = 10_000;
const ROUNDS = 50;
const FIRST_PETS = 400;
const SEED = 20_261_130;

/** Returns an integer from 0 up to, but not including, `below`. */
type Random = (below: number) => number;

type Parked = { readonly stream: string; readonly revision: number };

const oneOf = <T>(random: Random, values: readonly T[]): T => values[random(values.length)];
const maybe = <T>(random: Random, value: () => T): T | undefined => (random(2) === 0 ? value() : undefined);

const randomPet = (random: Random): object => ({
  name: oneOf(random, ['Rex', 'Mia', 'Tom']),
  species: oneOf(random, SPECIES),
  ageMonths: random(40),
  status: oneOf(random, ['AVAILABLE', 'AVAILABLE', 'NOT_AVAILABLE']),
  size: maybe(random, () => oneOf(random, SIZES)),
  goodWithKids: maybe(random, () => random(2) === 0),
  ...(random(2) === 0 && { price: `${random(9)}.00`, currency: 'USD' }),
  medicalInfo: maybe(random, () => ({ vaccinated: random(2) === 0, spayedNeutered: maybe(random, () => random(2) === 0) })),
});

/** A request, and the query that a filter over all documents answers in its place. */
type Asked = { readonly method: string; readonly path: string; readonly body?: object; readonly query: DocumentQuery };

const range = (min: number | undefined, max: number | undefined): { readonly ageMonths?: Condition } =>
  min === undefined && max === undefined
    ? {}
    : { ageMonths: { ...(min !== undefined && { from: min }), ...(max !== undefined && { to: max }) } };
const flag = (name: string, value: boolean | undefined) => (value === undefined ? {} : { [name]: value ? 1 : 0 });

const randomList = (random: Random): Asked => {
  const status = oneOf(random, ['AVAILABLE', 'NOT_AVAILABLE', 'ALL']);
  const species = maybe(random, () => oneOf(random, SPECIES));
  const size = maybe(random, () => oneOf(random, SIZES));
  const goodWithKids = random(4) === 0 ? random(2) === 0 : undefined;
  const [ageMin, ageMax] = [maybe(random, () => random(15)), maybe(random, () => 15 + random(25))];
  const [page, limit] = [1 + random(4), 1 + random(30)];
  const parameters = Object.entries({ status, species, size, goodWithKids, ageMin, ageMax, page, limit });
  const path = `/v1/pets?${parameters.flatMap(([name, value]) => (value === undefined ? [] : `${name}=${value}`)).join('&')}`;
  const where = {
    ...(status !== 'ALL' && { status }),
    ...(species && { species }),
    ...(size && { size }),
    ...flag('goodWithKids', goodWithKids),
    ...range(ageMin, ageMax),
  };
  return { method: 'GET', path, query: { where, sort: ['-createdAt'], limit, offset: (page - 1) * limit } };
};

const SORTS = [
  [undefined, ['-createdAt']],
  [{ field: 'price' }, ['priceMinor']],
  [{ field: 'price', order: 'DESC' }, ['-priceMinor', 'key']],
  [{ field: 'ageMonths', order: 'ASC' }, ['ageMonths']],
  [{ field: 'ageMonths', order: 'DESC' }, ['-ageMonths', 'key']],
] as const;

const randomSearch = (random: Random): Asked => {
  const species = SPECIES.filter(() => random(2) === 0);
  const size = SIZES.filter(() => random(3) === 0);
  const [min, max] = [maybe(random, () => random(30)), maybe(random, () => 30 + random(10))];
  const [vaccinated, goodWithKids] = [maybe(random, () => random(2) === 0), random(4) === 0 ? random(2) === 0 : undefined];
  const [sort, order] = oneOf(random, SORTS);
  const [page, limit] = [1 + random(3), 1 + random(20)];
  const ageRange = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
  const criteria = { species, size, ageRange, compatibility: { goodWithKids }, medical: { vaccinated } };
  const where = {
    status: 'AVAILABLE',
    ...(species.length > 0 && { species: { in: species } }),
    ...(size.length > 0 && { size: { in: size } }),
    ...range(min, max),
    ...flag('goodWithKids', goodWithKids),
    ...flag('vaccinated', vaccinated),
  };
  const query = { where, sort: order, limit, offset: (page - 1) * limit };
  return { method: 'POST', path: '/v1/pets/search', body: { criteria, sort, pagination: { page, limit } }, query };
};

const ALL: Asked = {
  method: 'GET',
  path: '/v1/pets?status=ALL&limit=100',
  query: { where: {}, sort: ['-createdAt'], limit: 100, offset: 0 },
};

const bit = (value: boolean | undefined): 0 | 1 | null => (value === undefined ? null : value ? 1 : 0);

const rowOf = (json: string): Row => {
  const { id, price, goodWithKids, size, medicalInfo, ...pet } = JSON.parse(json) as Fields & {
    readonly id: string;
    readonly price?: string;
    readonly goodWithKids?: boolean;
    readonly medicalInfo?: { readonly vaccinated?: boolean };
  };
  const priceMinor = price === undefined ? null : Number(price.replace('.', ''));
  return {
    key: id,
    fields: { ...pet, size: size ?? null, goodWithKids: bit(goodWithKids), vaccinated: bit(medicalInfo?.vaccinated), priceMinor },
  };
};

/** Defines the test that compares searches and lists of a service with a filter over its documents. */
export const defineSearchDifferences = (open: () => Promise<SearchedService>): void => {
  it(`answers ${QUERIES} random lists and searches as a filter over the documents does, whatever happened before`, async () => {
    const next = createRandom(SEED);
    const random: Random = (below) => Math.floor(next() * below);
    const { call, documents, breakStream } = await open();
    const pets: string[] = [];
    const add = async (): Promise<void> => {
      const { status, json, text } = await call('POST', '/v1/pets', { body: randomPet(random) });
      if (status !== 201) throw new Error(text);
      pets.push(String(json['id']));
    };
    const change = async (): Promise<void> => {
      const path = `/v1/pets/${oneOf(random, pets)}`;
      if (random(4) === 0) await call('DELETE', path);
      else await call('PUT', path, { body: randomPet(random) });
    };
    const act = async (action: string, body: object = {}): Promise<void> =>
      eventually(
        `to ${action} the pets`,
        async () => (await call('POST', `/v1/ops/projections/pets/${action}`, { body })).status === 204,
      ).then(() => undefined);
    const stateOfPets = async (): Promise<Readonly<Record<string, unknown>>> => {
      const all = (await call('GET', '/v1/ops/projections')).json['data'] as readonly Readonly<Record<string, unknown>>[];
      return all.find(({ name }) => name === 'pets') ?? {};
    };
    const settled = () => eventually('the pets to follow the log', async () => (await stateOfPets())['behind'] === 0);
    /** Resolves with what a request shows, and what a filter over the documents shows. */
    const compare = async ({ method, path, body, query }: Asked, rows: readonly Row[]) => {
      const { status, json, text } = await call(method, path, { body });
      if (status !== 200) throw new Error(text);
      const shown = {
        count: (json['pagination'] as { totalItems: number }).totalItems,
        keys: (json['data'] as { id: string }[]).map(({ id }) => id),
      };
      return { shown, expected: naive(rows, query) };
    };
    const rowsNow = async (): Promise<readonly Row[]> => (await documents()).map(rowOf);

    /** What happens before the queries of a round. Each returns after its effect. */
    const steps: readonly (() => Promise<void>)[] = [
      async () => {
        for (let n = 0; n < 10; n++) await (random(3) === 0 ? add() : change());
        await settled();
      },
      async () => {
        await act('pause', { reason: 'to see what is shown' });
        await untilPauseHolds(add, async () => Number((await stateOfPets())['behind']));
      },
      async () => {
        await act('resume');
        await settled();
      },
      async () => {
        await act('rebuild', { reason: 'a row is damaged' });
        for (let n = 0; n < 5; n++) await change();
        await eventually('the switch', async () => (await stateOfPets())['keptUntil'] !== undefined);
      },
      async () => {
        await act('switch', { back: true });
        await act('drop', { reason: 'it is not needed' });
      },
      async () => {
        if (!breakStream) return change();
        await settled();
        const id = pets.at(-1) ?? '';
        await breakStream(`pet-${id}`);
        await eventually('the parked stream', async () => (await call('GET', '/v1/ops/parked')).text.includes(id));
      },
      async () => {
        if (!breakStream) return change();
        const { causes } = (await call('GET', '/v1/ops/parked')).json as {
          readonly causes?: readonly { readonly items: readonly Parked[] }[];
        };
        for (const { stream, revision } of causes?.flatMap(({ items }) => items) ?? [])
          await call('POST', '/v1/ops/parked/skip', { body: { name: 'pets', stream, revision, reason: 'a broken import wrote it' } });
        await eventually('nothing parked', async () => (await call('GET', '/v1/ops/parked')).json['count'] === 0);
      },
    ];

    for (let n = 0; n < FIRST_PETS; n++) await add();
    let asked = 0;
    for (let round = 0; round < ROUNDS; round++) {
      await steps[round % steps.length]?.();
      await eventually('the pages to show the documents', async () => {
        const { shown, expected } = await compare(ALL, await rowsNow());
        return JSON.stringify(shown) === JSON.stringify(expected);
      });
      const rows = await rowsNow();
      const differences: object[] = [];
      for (let n = 0; n < QUERIES / ROUNDS; n++, asked++) {
        const query = random(2) === 0 ? randomList(random) : randomSearch(random);
        const { shown, expected } = await compare(query, rows);
        if (JSON.stringify(shown) !== JSON.stringify(expected)) differences.push({ query, shown, expected });
      }
      expect({ round, count: differences.length, first: differences[0] }).toEqual({ round, count: 0 });
    }
    expect(asked).toBe(QUERIES);
  });
};
