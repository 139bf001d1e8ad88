import { describe, expect, it } from '@jest/globals';
import { headersOf } from '../../libs/contracts/message-headers.js';
import { exampleOf } from '../../libs/contracts/message-schema.js';
import type { PublicMessage } from '../../libs/eventsourcing/ports/publisher.port.js';
import { assertAccepted, requireGolden, unexpectedFiles } from './golden-files.js';
import { messageChange, messageFile, publishedTypes } from './golden-messages.js';
import { forbidAdditional, requireAll, validationErrors } from './validity.js';

type Golden = Omit<PublicMessage, 'data'> & { readonly data: object };

const golden = (type: string): Golden => requireGolden(messageFile(type)) as Golden;

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
 * consumer of its topic.
 */
describe('the golden message', () => {
  it.each(publishedTypes)('of %s equals the published message', (type, { contract }) => assertAccepted(messageChange(type, contract)));

  it('exists only for event types that are published', () =>
    expect(
      unexpectedFiles(
        'messages',
        publishedTypes.map(([type]) => `${type}.json`),
      ),
    ).toEqual([]));

  it.each(publishedTypes)('of %s has exactly the properties of its schema', (type, { spec }) =>
    expect(validationErrors(requireAll(forbidAdditional(spec.schema)), golden(type).data)).toEqual([]),
  );

  it.each(publishedTypes)('of %s has exactly the headers of its schema', (type, { contract }) =>
    expect(validationErrors(requireAll(forbidAdditional(headersOf(contract, type))), headersIn(golden(type)))).toEqual([]),
  );

  it.each(publishedTypes)('of %s contains no personal data and no gateway reference', (type) =>
    expect(JSON.stringify(golden(type))).not.toMatch(/\$sealed|alice|ref_0190f5de|4242|6789|shop\.example/),
  );
});

describe('the schema', () => {
  it.each(publishedTypes)('of %s has a valid example with all properties', (type, { contract, spec }) => {
    expect(validationErrors(requireAll(forbidAdditional(spec.schema)), exampleOf(spec.schema))).toEqual([]);
    const headers = headersOf(contract, type);
    expect(validationErrors(requireAll(forbidAdditional(headers)), exampleOf(headers))).toEqual([]);
  });

  it.each(publishedTypes)('of %s has a summary of one sentence or more', (_, { spec }) => expect(spec.summary).toMatch(/^[A-Z].*\.$/));
});
