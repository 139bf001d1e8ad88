import { describe, expect, it } from '@jest/globals';
import type { JsonSchema } from '../../libs/contracts/message-schema.js';
import { compareMessages, withoutWording } from './compatibility.js';

const order: JsonSchema = {
  type: 'object',
  description: 'An order',
  properties: {
    orderId: { type: 'string', format: 'uuid' },
    status: { enum: ['placed', 'approved'] },
    kind: { const: 'order' },
    quantity: { type: 'integer', minimum: 1, maximum: 100 },
    price: { type: 'string', pattern: String.raw`^\d+\.\d{2}$` },
    lines: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' } }, required: ['sku'] } },
    source: { oneOf: [{ type: 'object', properties: { number: { type: 'string' } } }, { type: 'integer' }] },
    note: { type: ['string', 'null'], maxLength: 10 },
  },
  required: ['orderId', 'status', 'kind', 'quantity', 'lines'],
};
const properties = order['properties'] as Readonly<Record<string, JsonSchema>>;
const required = order['required'] as readonly string[];

/** Returns the order schema with changed properties. A property with the value undefined is removed. */
const orderWith = (changed: Readonly<Record<string, JsonSchema | undefined>>): JsonSchema => ({
  ...order,
  properties: Object.fromEntries(Object.entries({ ...properties, ...changed }).filter(([, schema]) => schema !== undefined)),
});
const difference = (after: JsonSchema) => compareMessages({ placed: order }, { placed: after });

/** Proves contract 28.7. */
describe('a breaking change', () => {
  it.each<[string, JsonSchema, string]>([
    ['removes a property', orderWith({ note: undefined }), 'placed.note is no longer published'],
    ['renames a property', orderWith({ note: undefined, remark: properties['note'] }), 'placed.note is no longer published'],
    [
      'changes a type',
      orderWith({ quantity: { ...properties['quantity'], type: 'string' } }),
      'placed.quantity has type "string"; it was "integer"',
    ],
    [
      'allows an additional type',
      orderWith({ orderId: { ...properties['orderId'], type: ['string', 'null'] } }),
      'placed.orderId has type ["string","null"]; it was "string"',
    ],
    ['makes a required property optional', { ...order, required: required.slice(1) }, 'placed.orderId is no longer required'],
    [
      'no longer lists the values',
      orderWith({ status: { type: 'string' } }),
      'placed.status allows any value; it was one of ["placed","approved"]',
    ],
    ['adds a value', orderWith({ status: { enum: ['placed', 'approved', 'lost'] } }), 'placed.status has the new value "lost"'],
    ['removes a value', orderWith({ status: { enum: ['placed'] } }), 'placed.status no longer has the value "approved"'],
    ['changes a constant', orderWith({ kind: { const: 'purchase' } }), 'placed.kind has the new value "purchase"'],
    ['drops a format', orderWith({ orderId: { type: 'string' } }), 'placed.orderId has no format; it was "uuid"'],
    [
      'changes a pattern',
      orderWith({ price: { type: 'string', pattern: '^.*$' } }),
      'placed.price has pattern "^.*$"; it was "^\\\\d+\\\\.\\\\d{2}$"',
    ],
    ['lowers a minimum', orderWith({ quantity: { ...properties['quantity'], minimum: 0 } }), 'placed.quantity has minimum 0; it was 1'],
    ['raises a maximum', orderWith({ note: { ...properties['note'], maxLength: 20 } }), 'placed.note has maxLength 20; it was 10'],
    [
      'changes the items of a list',
      orderWith({ lines: { type: 'array', items: { type: 'object' } } }),
      'placed.lines[].sku is no longer published',
    ],
    ['no longer declares the items of a list', orderWith({ lines: { type: 'array' } }), 'placed.lines has no items'],
    [
      'adds a form',
      orderWith({ source: { oneOf: [{ type: 'object' }, { type: 'integer' }, { type: 'string' }] } }),
      'placed.source has 3 forms; it had 2',
    ],
    [
      'changes a form',
      orderWith({ source: { oneOf: [{ type: 'object' }, { type: 'integer' }] } }),
      'placed.source(1).number is no longer published',
    ],
  ])('%s', (_, after, words) => expect(difference(after).breaks.join('\n')).toContain(words));

  it('removes a keyword, also a keyword that the check does not know', () =>
    expect(compareMessages({ placed: { ...order, dependentRequired: {} } }, { placed: order }).breaks).toEqual([
      'placed has no dependentRequired; it was {}',
    ]));

  it('removes a message', () => expect(compareMessages({ placed: order }, {}).breaks).toEqual(['placed is no longer published']));

  it.each<[string, JsonSchema, JsonSchema]>([
    ['null as a form', { oneOf: [{ const: 1 }, { type: 'null' }] }, { type: ['integer', 'null'], enum: [1, null] }],
    ['an absent type', { enum: ['a', 'b'] }, { type: 'string', enum: ['a', 'b'] }],
  ])('is not another notation for %s (contract 25.3)', (_, former, later) => {
    expect(compareMessages({ placed: former }, { placed: later })).toEqual({ breaks: [], additions: [] });
    expect(compareMessages({ placed: former }, { placed: { ...later, enum: ['c'] } }).breaks).not.toEqual([]);
  });

  it('is not a new order of the properties', () =>
    expect(difference({ ...order, properties: Object.fromEntries(Object.entries(properties).reverse()) })).toEqual({
      breaks: [],
      additions: [],
    }));
});

/** Proves contract 28.7. */
describe('a compatible change', () => {
  it.each<[string, JsonSchema, string]>([
    ['adds an optional property', orderWith({ colour: { type: 'string' } }), 'placed.colour is added'],
    ['makes an optional property required', { ...order, required: [...required, 'note'] }, 'placed.note is now required'],
    ['raises a minimum', orderWith({ quantity: { ...properties['quantity'], minimum: 2 } }), 'placed.quantity has minimum 2; it was 1'],
    ['restricts the values', orderWith({ price: { ...properties['price'], enum: ['1.00'] } }), 'placed.price is now one of ["1.00"]'],
  ])('%s', (_, after, words) => expect(difference(after)).toEqual({ breaks: [], additions: [words] }));

  it('adds a message', () =>
    expect(compareMessages({ placed: order }, { placed: order, lost: order })).toEqual({ breaks: [], additions: ['lost is added'] }));

  it('rewords a description, which is not reported', () =>
    expect(difference({ ...order, description: 'A purchase', title: 'Order' })).toEqual({ breaks: [], additions: [] }));
});

describe('withoutWording', () => {
  it('removes descriptions and examples at every level of a schema', () =>
    expect(
      withoutWording(orderWith({ lines: { type: 'array', description: 'All', items: { type: 'string', examples: ['a'] } } })),
    ).toMatchObject({
      properties: { lines: { type: 'array', items: { type: 'string' } } },
    }));
});
