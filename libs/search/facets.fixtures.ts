import fc from 'fast-check';
import type {
  Collection,
  Condition,
  DocumentQuery,
  DocumentWrite,
  Facets,
  Fields,
  Scalar,
  Where,
} from '../eventsourcing/ports/documents.port.js';

export const FACETS: Facets = { partition: 'tenant', filters: ['status', 'kind', 'good'], orders: ['-createdAt', 'price', 'age'] };
const FIRST_DAY = Date.parse('2026-01-01T00:00:00.000Z');

export type Row = { readonly key: string; readonly fields: Fields };

/** A collection with these facets. */
export const cups: Collection = {
  name: 'cups',
  version: 1,
  fields: { tenant: 'text', status: 'text', kind: 'text', good: 'integer', createdAt: 'text', price: 'integer', age: 'integer' },
  indexes: [],
  facets: FACETS,
  cells: ['tenant'],
};

export const putCup = ({ key, fields }: Row): DocumentWrite => ({
  kind: 'put',
  collection: cups,
  document: { key, json: JSON.stringify({ key }), fields, revision: 0 },
});

export const keyArb = fc.uuid();
const timeArb = fc.integer({ min: 0, max: 20 }).map((hours) => new Date(FIRST_DAY + hours * 3_600_000).toISOString());
const maybe = <T extends Scalar>(arb: fc.Arbitrary<T>): fc.Arbitrary<T | null> => fc.option(arb, { freq: 4 });
export const fieldsArb: fc.Arbitrary<Fields> = fc.record({
  tenant: fc.constantFrom('here', 'here', 'there'),
  status: fc.constantFrom('AVAILABLE', 'PENDING'),
  kind: maybe(fc.constantFrom('cup', 'mug', 'bowl')),
  good: maybe(fc.constantFrom(0, 1)),
  createdAt: timeArb,
  price: maybe(fc.integer({ min: 0, max: 30 })),
  age: fc.integer({ min: 0, max: 12 }),
});
const rangeArb = (max: number): fc.Arbitrary<Condition> =>
  fc
    .tuple(maybe(fc.integer({ min: 0, max })), maybe(fc.integer({ min: 0, max })))
    .map(([from, to]) => ({ ...(from !== null && { from }), ...(to !== null && { to }) }));
const whereArb: fc.Arbitrary<Where> = fc
  .record(
    {
      tenant: fc.constantFrom('here', 'there', 'nowhere'),
      status: fc.constantFrom<Condition>('AVAILABLE', { in: ['AVAILABLE', 'PENDING'] }),
      kind: fc.constantFrom<Condition>(null, 'cup', { in: ['mug', null] }, { in: [] }),
      good: fc.constantFrom<Condition>(0, 1),
      price: rangeArb(30),
      age: fc.oneof(rangeArb(12), fc.integer({ min: 0, max: 12 })),
      createdAt: timeArb.map((from) => ({ from })),
    },
    { requiredKeys: ['tenant'] },
  )
  .map((where) => where as Where);
const sortArb = fc.constantFrom<readonly string[]>(
  ...[['-createdAt'], ['createdAt', 'key'], ['price'], ['-price', 'key'], ['age'], ['-age', 'key']],
);
export const queryArb: fc.Arbitrary<DocumentQuery> = fc.record({
  where: whereArb,
  sort: sortArb,
  limit: fc.integer({ min: 0, max: 12 }),
  offset: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 60 })),
});

const meets = (value: Scalar, condition: Condition): boolean => {
  if (condition === null || typeof condition !== 'object') return value === condition;
  if ('in' in condition) return condition.in.includes(value);
  const { from, to } = condition;
  if (from === undefined && to === undefined) return true;
  return value !== null && (from === undefined || value >= from) && (to === undefined || value <= to);
};

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

/** Sorts as the port of documents says: nulls are last, and the keys are descending unless the sort ends with `key`. */
const compareBy =
  ([first = '', key]: readonly string[]) =>
  (one: Row, other: Row): number => {
    const field = first.replace('-', '');
    const [a, b] = [one.fields[field] ?? null, other.fields[field] ?? null];
    const byKey = compareTexts(one.key, other.key) * (key ? 1 : -1);
    if (a === b) return byKey;
    if (a === null || b === null) return a === null ? 1 : -1;
    return (a < b ? -1 : 1) * (first.startsWith('-') ? -1 : 1);
  };

/** Answers a query by a filter over all rows. */
export const naive = (rows: Iterable<Row>, { where, sort, limit, offset }: DocumentQuery) => {
  const found = [...rows].filter(({ fields }) =>
    Object.entries(where).every(([name, condition]) => meets(fields[name] ?? null, condition)),
  );
  const keys = found.sort(compareBy(sort)).map(({ key }) => key);
  return { count: keys.length, keys: keys.slice(offset, offset + limit) };
};
