import { describe, expect, it } from '@jest/globals';
import { exampleOf } from '../../libs/contracts/message-schema.js';
import type { WebhookBody } from '../../libs/contracts/webhook-contract.js';
import { webhookContracts } from '../../libs/contracts/webhooks.js';
import { assertAccepted, requireGolden, unexpectedFiles } from './golden-files.js';
import { webhookBodyOf, webhookChange, webhookFile } from './golden-webhooks.js';
import { forbidAdditional, validationErrors } from './validity.js';

const contracts = webhookContracts.map((contract) => [contract.eventType, contract] as const);

/**
 * Proves contract 19.1, contract 19.2, contract 19.3, contract 19.4, contract 19.5 and contract 19.6. A failure means that a body
 * has changed for every receiver.
 * Proves rows of contract 42.17 and 42.21.
 */
describe('the golden body', () => {
  it.each(contracts)('of %s equals the sent body', (_, contract) => assertAccepted(webhookChange(contract)));

  it('exists only for webhook event types', () =>
    expect(
      unexpectedFiles(
        'webhooks',
        webhookContracts.map(({ eventType }) => `${eventType}.json`),
      ),
    ).toEqual([]));

  it.each(contracts)('of %s contains no encrypted value and no gateway reference', (_, contract) =>
    expect(JSON.stringify(requireGolden(webhookFile(contract.eventType)))).not.toMatch(/\$sealed|ref_0190f5de/),
  );
});

/** Proves contract 19.2. */
describe('the schema', () => {
  it.each(contracts)('of %s accepts the sent body and its own example', (_, contract) => {
    expect(validationErrors(forbidAdditional(contract.schema), JSON.parse(webhookBodyOf(contract)))).toEqual([]);
    expect(validationErrors(forbidAdditional(contract.schema), exampleOf(contract.schema))).toEqual([]);
  });

  it.each(contracts)('of %s rejects a body without one of its properties', (_, { schema }) => {
    const example = exampleOf(schema) as WebhookBody;
    for (const name of ['eventId', 'eventType', 'timestamp', 'data'])
      expect(validationErrors(schema, { ...example, [name]: undefined })).not.toEqual([]);
    for (const name of Object.keys(example.data))
      expect(validationErrors(schema, { ...example, data: { ...example.data, [name]: undefined } })).not.toEqual([]);
  });
});
