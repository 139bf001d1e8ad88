import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { contracts, tellBy } from '../../libs/contracts/contracts.js';
import { headersOf } from '../../libs/contracts/message-headers.js';
import { exampleOf } from '../../libs/contracts/message-schema.js';
import type { DomainEvent } from '../../libs/domain/events.js';
import type { PublicMessage } from '../../libs/eventsourcing/ports/publisher.port.js';
import { recorded } from '../../libs/eventsourcing/testing/recorded.js';
import { paymentId, samples } from './events.samples.js';
import { closed, complete, faultsOf } from './validity.js';

type Golden = Omit<PublicMessage, 'data'> & { readonly data: object };

const FOLDER = new URL('messages/', import.meta.url);
const tell = tellBy(contracts);

const declared = contracts.flatMap((contract) => Object.entries(contract.on).map(([type, told]) => [type, { contract, told }] as const));
const types = declared.map(([type]) => type);

/** An event type's message as it goes out today; every stream has the same id, so that it is the same in every run. */
const today = (type: string, category: string): unknown => {
  const event = { type, data: samples[type as DomainEvent['type']].complete } as DomainEvent;
  const [message] = recorded([event], `${category}-${paymentId}`).map(tell);
  return message && { ...message, data: JSON.parse(message.data) as unknown };
};

const golden = (type: string): Golden => JSON.parse(readFileSync(new URL(`${type}.json`, FOLDER), 'utf8')) as Golden;

/** As Kafka keeps them; ids of events in tests are short names. */
const headersIn = ({ attributes: { datacontenttype, ...attributes } }: Golden): object => ({
  'content-type': datacontenttype,
  ...Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`ce_${name}`, value])),
  ce_id: '01a0e5b0-0000-7000-8000-0000000000a1',
});

// A difference here is a difference to every reader of the topics: what is told may be added to, and then the file is
// changed with it; what is taken away or changed needs a topic of the next version beside this one.
describe('the golden message', () => {
  it.each(declared)('of %s is what goes out', (type, { contract }) => expect(today(type, contract.category)).toEqual(golden(type)));

  it('is there for every event type of a published stream, and for no other', () =>
    expect(readdirSync(FOLDER).sort()).toEqual(types.map((type) => `${type}.json`).sort()));

  it.each(declared)('of %s says all that its schema has, and nothing that it has not', (type, { told }) =>
    expect(faultsOf(complete(closed(told.schema)), golden(type).data)).toEqual([]),
  );

  it.each(declared)('of %s has the headers of its schema, and no other', (type, { contract }) =>
    expect(faultsOf(complete(closed(headersOf(contract, type))), headersIn(golden(type)))).toEqual([]),
  );

  it.each(types)('of %s holds nothing personal, and no reference of the gateway', (type) =>
    expect(JSON.stringify(golden(type))).not.toMatch(/\$sealed|alice|ref_0190f5de|4242|6789|shop\.example/),
  );
});

describe('the schema', () => {
  it.each(declared)('of %s has an example that meets it, with all there can be said', (type, { contract, told }) => {
    expect(faultsOf(complete(closed(told.schema)), exampleOf(told.schema))).toEqual([]);
    const headers = headersOf(contract, type);
    expect(faultsOf(complete(closed(headers)), exampleOf(headers))).toEqual([]);
  });

  it.each(declared)('of %s comes with a sentence', (_, { told }) => expect(told.summary).toMatch(/^[A-Z].*\.$/));
});
