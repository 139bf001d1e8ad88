import { describe, expect, it } from '@jest/globals';
import type { JsonSchema } from '../../libs/contracts/message-schema.js';
import { assertAccepted } from './golden-files.js';
import { acceptedChannels, breakingChanges, channelChanges, declaredChannels, type Channels } from './message-schemas.js';

const declared = declaredChannels();
const accepted = acceptedChannels();

/** Proves contract 22.1 and contract 28.7. */
describe('the declared messages', () => {
  it('break no consumer of the accepted schemas', () => expect(breakingChanges(accepted, declared)).toEqual([]));

  it('are all accepted', () => channelChanges(declared).forEach(assertAccepted));

  it('cover every topic, webhooks and callbacks', () =>
    expect(Object.keys(accepted).sort()).toEqual([
      'callbacks',
      'petstore.adoptions.v1',
      'petstore.checkpoints.v1',
      'petstore.orders.v1',
      'petstore.payments.v1',
      'petstore.pets.v1',
      'petstore.users.v1',
      'webhooks',
    ]));
});

/** Proves contract 28.7. */
describe('the compatibility check', () => {
  const TOPIC = 'petstore.orders.v1';
  const PLACED = 'petstore.order.placed.v1';

  /** Returns the declared messages, with a text in the JSON schema of `order.placed` replaced. */
  const changed = (text: string, replacement: string): Channels => {
    const before = JSON.stringify(declared[TOPIC]?.[PLACED]);
    expect(before).toContain(text);
    return { ...declared, [TOPIC]: { ...declared[TOPIC], [PLACED]: JSON.parse(before.replace(text, replacement)) as JsonSchema } };
  };

  it('names the remedy for a removed property', () =>
    expect(breakingChanges(declared, changed('"shipDate":{', '"sentOn":{'))).toEqual([
      `${TOPIC}: ${PLACED}.data.shipDate is no longer published. This breaks consumers: restore the accepted schema, and publish the new shape in petstore.orders.v2.`,
    ]));

  it('compares headers too', () =>
    expect(breakingChanges(declared, changed('"ce_tenantid":{', '"ce_tenant":{'))[0]).toContain(
      `${PLACED}.headers.ce_tenantid is no longer published`,
    ));

  it('names an addition, which can be accepted', () => {
    const added = changed('"shipDate":{', '"gift":{"type":"boolean"},"shipDate":{');
    const changes = channelChanges(added);
    expect(changes).toEqual([
      { file: `message-schemas/${TOPIC}.json`, breaks: [], additions: [`${PLACED}.data.gift is added`], text: expect.any(String) },
    ]);
    expect(JSON.parse(changes[0]?.text ?? '')).toEqual(added[TOPIC]);
  });

  it('detects a removed topic', () => {
    const { [TOPIC]: _, ...rest } = declared;
    expect(breakingChanges(declared, rest)).toHaveLength(Object.keys(declared[TOPIC] ?? {}).length);
  });

  it('requires a new name for a changed webhook', () => {
    const { 'pet.adopted': _, ...rest } = declared['webhooks'] ?? {};
    expect(breakingChanges(declared, { ...declared, webhooks: rest })).toEqual([
      'webhooks: pet.adopted is no longer published. This breaks consumers: restore the accepted schema, and publish the new shape under a new name.',
    ]);
  });
});
