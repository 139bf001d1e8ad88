import { describe, expect, it } from '@jest/globals';
import type { JsonSchema } from '../../libs/contracts/message-schema.js';
import { compareTold, promised } from './compatibility.js';

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
    source: { oneOf: [{ type: 'object', properties: { number: { type: 'string' } } }, { type: 'null' }] },
    note: { type: ['string', 'null'], maxLength: 10 },
  },
  required: ['orderId', 'status', 'kind', 'quantity', 'lines'],
};
const properties = order['properties'] as Readonly<Record<string, JsonSchema>>;
const required = order['required'] as readonly string[];

/** The order with some properties otherwise; one that is undefined is taken away. */
const orderWith = (changed: Readonly<Record<string, JsonSchema | undefined>>): JsonSchema => ({
  ...order,
  properties: Object.fromEntries(Object.entries({ ...properties, ...changed }).filter(([, schema]) => schema !== undefined)),
});
const difference = (after: JsonSchema) => compareTold({ placed: order }, { placed: after });

describe('a change that breaks readers', () => {
  it.each<[string, JsonSchema, string]>([
    ['takes a property away', orderWith({ note: undefined }), 'placed.note is no longer told'],
    ['renames a property', orderWith({ note: undefined, remark: properties['note'] }), 'placed.note is no longer told'],
    [
      'changes a type',
      orderWith({ quantity: { ...properties['quantity'], type: 'string' } }),
      'placed.quantity has type "string", where it was "integer"',
    ],
    [
      'allows another type, too',
      orderWith({ orderId: { ...properties['orderId'], type: ['string', 'null'] } }),
      'placed.orderId has type ["string","null"], where it was "string"',
    ],
    ['says sometimes what was always said', { ...order, required: required.slice(1) }, 'placed.orderId is no longer always there'],
    [
      'no longer says which values there are',
      orderWith({ status: { type: 'string' } }),
      'placed.status may be anything, where it was one of ["placed","approved"]',
    ],
    ['adds a value', orderWith({ status: { enum: ['placed', 'approved', 'lost'] } }), 'placed.status may be "lost", which it never was'],
    ['takes a value away', orderWith({ status: { enum: ['placed'] } }), 'placed.status is never "approved" any more'],
    ['changes the one value', orderWith({ kind: { const: 'purchase' } }), 'placed.kind may be "purchase", which it never was'],
    ['drops a format', orderWith({ orderId: { type: 'string' } }), 'placed.orderId has format of any kind, where it was "uuid"'],
    [
      'changes a pattern',
      orderWith({ price: { type: 'string', pattern: '^.*$' } }),
      'placed.price has pattern "^.*$", where it was "^\\\\d+\\\\.\\\\d{2}$"',
    ],
    ['lowers a least', orderWith({ quantity: { ...properties['quantity'], minimum: 0 } }), 'placed.quantity has minimum 0, where it was 1'],
    ['raises a most', orderWith({ note: { ...properties['note'], maxLength: 20 } }), 'placed.note has maxLength 20, where it was 10'],
    [
      'changes what stands in a list',
      orderWith({ lines: { type: 'array', items: { type: 'object' } } }),
      'placed.lines[].sku is no longer told',
    ],
    ['no longer says what stands in a list', orderWith({ lines: { type: 'array' } }), 'placed.lines has items of any kind'],
    [
      'adds a form',
      orderWith({ source: { oneOf: [{ type: 'object' }, { type: 'null' }, { type: 'string' }] } }),
      'placed.source comes in 3 forms, where it came in 2',
    ],
    [
      'changes a form',
      orderWith({ source: { oneOf: [{ type: 'object' }, { type: 'null' }] } }),
      'placed.source(1).number is no longer told',
    ],
  ])('%s', (_, after, words) => expect(difference(after).breaks.join('\n')).toContain(words));

  it('drops a rule, even one that only JSON Schema knows', () =>
    expect(compareTold({ placed: { ...order, dependentRequired: {} } }, { placed: order }).breaks).toEqual([
      'placed has dependentRequired of any kind, where it was {}',
    ]));

  it('tells a kind of message no more', () => expect(compareTold({ placed: order }, {}).breaks).toEqual(['placed is no longer told']));

  it('is no other when the order of a message’s properties changes', () =>
    expect(difference({ ...order, properties: Object.fromEntries(Object.entries(properties).reverse()) })).toEqual({
      breaks: [],
      additions: [],
    }));
});

describe('a change that readers can take', () => {
  it.each<[string, JsonSchema, string]>([
    ['says more, sometimes', orderWith({ colour: { type: 'string' } }), 'placed.colour is told'],
    ['says always what was said sometimes', { ...order, required: [...required, 'note'] }, 'placed.note is always there from now on'],
    ['raises a least', orderWith({ quantity: { ...properties['quantity'], minimum: 2 } }), 'placed.quantity has minimum 2, where it was 1'],
    ['keeps to values', orderWith({ price: { ...properties['price'], enum: ['1.00'] } }), 'placed.price is one of ["1.00"] from now on'],
  ])('%s', (_, after, words) => expect(difference(after)).toEqual({ breaks: [], additions: [words] }));

  it('tells another kind of message', () =>
    expect(compareTold({ placed: order }, { placed: order, lost: order })).toEqual({ breaks: [], additions: ['lost is told'] }));

  it('words a description otherwise, which is no change at all', () =>
    expect(difference({ ...order, description: 'A wish', title: 'Order' })).toEqual({ breaks: [], additions: [] }));
});

describe('what readers are promised', () => {
  it('is the schema without its words, all the way down', () =>
    expect(promised(orderWith({ lines: { type: 'array', description: 'All', items: { type: 'string', examples: ['a'] } } }))).toMatchObject(
      {
        properties: { lines: { type: 'array', items: { type: 'string' } } },
      },
    ));
});
