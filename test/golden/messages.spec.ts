import { describe, expect, it } from '@jest/globals';
import { publishedMessages } from '../../libs/contracts/message-contract.js';
import { contracts, publicMessageMapper } from '../../libs/contracts/contracts.js';
import { headersOf } from '../../libs/contracts/message-headers.js';
import { exampleOf } from '../../libs/contracts/message-schema.js';
import type { DomainEvent } from '../../libs/domain/events.js';
import type { PublicMessage } from '../../libs/eventsourcing/ports/publisher.port.js';
import { recorded } from '../../libs/eventsourcing/testing/recorded.js';
import { paymentId, samples } from './events.samples.js';
import { goldenFile, unexpectedFiles } from './golden-files.js';
import { forbidAdditional, requireAll, validationErrors } from './validity.js';

type Golden = Omit<PublicMessage, 'data'> & { readonly data: object };

const toMessage = publicMessageMapper(contracts);

const declared = contracts.flatMap((contract) => publishedMessages(contract).map(([type, spec]) => [type, { contract, spec }] as const));

/** Returns the message for the sample of an event type. The stream id is fixed, so the message is the same in every run. */
const currentMessage = (type: string, { category, streams }: (typeof contracts)[number]): unknown => {
  const event = { type, data: samples[type as DomainEvent['type']].complete } as DomainEvent;
  const [message] = recorded([event], streams?.[type] ?? `${category}-${paymentId}`).map(toMessage);
  return message && { ...message, data: JSON.parse(message.data) as unknown };
};

const golden = (type: string, contract: (typeof contracts)[number]): Golden =>
  goldenFile(`messages/${type}.json`, () => currentMessage(type, contract)) as Golden;

/** Returns the Kafka headers of a golden message that is replayed. The events of tests have short ids, so it sets a UUID. */
const headersIn = ({ attributes: { datacontenttype, ...attributes } }: Golden): object => ({
  'content-type': datacontenttype,
  ...Object.fromEntries(Object.entries(attributes).map(([name, value]) => [`ce_${name}`, value])),
  ce_id: '01a0e5b0-0000-7000-8000-0000000000a1',
  ce_replayedat: '2026-01-03T00:00:00.000Z',
  // Only the messages of traced requests have this header.
  traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
});

/**
 * Proves contract 22.2, contract 22.3, contract 22.5 and contract 22.6. A failure means that a message has changed for every
 * consumer of its topic. If a property was added, add it to the golden file. If a property was removed or changed, publish the
 * new message in a topic of the next version instead.
 */
describe('the golden message', () => {
  it.each(declared)('of %s equals the published message', (type, { contract }) =>
    expect(currentMessage(type, contract)).toEqual(golden(type, contract)),
  );

  it('exists only for event types that are published', () =>
    expect(
      unexpectedFiles(
        'messages',
        declared.map(([type]) => `${type}.json`),
      ),
    ).toEqual([]));

  it.each(declared)('of %s has exactly the properties of its schema', (type, { contract, spec }) =>
    expect(validationErrors(requireAll(forbidAdditional(spec.schema)), golden(type, contract).data)).toEqual([]),
  );

  it.each(declared)('of %s has exactly the headers of its schema', (type, { contract }) =>
    expect(validationErrors(requireAll(forbidAdditional(headersOf(contract, type))), headersIn(golden(type, contract)))).toEqual([]),
  );

  it.each(declared)('of %s contains no personal data and no gateway reference', (type, { contract }) =>
    expect(JSON.stringify(golden(type, contract))).not.toMatch(/\$sealed|alice|ref_0190f5de|4242|6789|shop\.example/),
  );
});

describe('the schema', () => {
  it.each(declared)('of %s has a valid example with all properties', (type, { contract, spec }) => {
    expect(validationErrors(requireAll(forbidAdditional(spec.schema)), exampleOf(spec.schema))).toEqual([]);
    const headers = headersOf(contract, type);
    expect(validationErrors(requireAll(forbidAdditional(headers)), exampleOf(headers))).toEqual([]);
  });

  it.each(declared)('of %s has a summary of one sentence or more', (_, { spec }) => expect(spec.summary).toMatch(/^[A-Z].*\.$/));
});
