import { describe, expect, it } from '@jest/globals';
import type { JsonSchema } from '../../libs/contracts/message-schema.js';
import { ACCEPT_MESSAGES, accept, acceptedChannels, additionsIn, breaksIn, declaredChannels, type Channels } from './message-schemas.js';

const declared = declaredChannels();
if (process.env['ACCEPT_MESSAGES'] === 'yes') accept(declared);
const accepted = acceptedChannels();

describe('the messages that are declared', () => {
  it('break nobody who reads what was promised', () => expect(breaksIn(accepted, declared)).toEqual([]));

  it('are all promised', () => expect(additionsIn(accepted, declared)).toEqual([]));

  it('go to every topic, and to webhooks and callbacks', () =>
    expect(Object.keys(accepted).sort()).toEqual([
      'callbacks',
      'petstore.orders.v1',
      'petstore.payments.v1',
      'petstore.pets.v1',
      'webhooks',
    ]));
});

describe('the gate', () => {
  const TOPIC = 'petstore.orders.v1';
  const PLACED = 'petstore.order.placed.v1';

  /** The declared messages after some JSON text in the schema of placed orders was replaced. */
  const changed = (text: string, replacement: string): Channels => {
    const before = JSON.stringify(declared[TOPIC]?.[PLACED]);
    expect(before).toContain(text);
    return { ...declared, [TOPIC]: { ...declared[TOPIC], [PLACED]: JSON.parse(before.replace(text, replacement)) as JsonSchema } };
  };

  it('says what to do instead of taking something away', () =>
    expect(breaksIn(declared, changed('"shipDate":{', '"sentOn":{'))).toEqual([
      `${TOPIC}: ${PLACED}.data.shipDate is no longer told. Readers rely on it: leave it as it was, and tell the new shape in petstore.orders.v2 beside it.`,
    ]));

  it('looks at headers, too', () =>
    expect(breaksIn(declared, changed('"ce_tenantid":{', '"ce_tenant":{'))[0]).toContain(
      `${PLACED}.headers.ce_tenantid is no longer told`,
    ));

  it('says how something new is promised', () =>
    expect(additionsIn(declared, changed('"shipDate":{', '"gift":{"type":"boolean"},"shipDate":{'))).toEqual([
      `${TOPIC}: ${PLACED}.data.gift is told. Readers can take that; to promise it: ${ACCEPT_MESSAGES}`,
    ]));

  it('notices that a whole topic is gone', () => {
    const { [TOPIC]: _, ...rest } = declared;
    expect(breaksIn(declared, rest)).toHaveLength(Object.keys(declared[TOPIC] ?? {}).length);
  });

  it('never promises what breaks a reader', () =>
    expect(() => accept(changed('"shipDate":{', '"sentOn":{'))).toThrow('leave it as it was'));

  it('has webhooks told under another name', () => {
    const { 'pet.adopted': _, ...rest } = declared['webhooks'] ?? {};
    expect(breaksIn(declared, { ...declared, webhooks: rest })).toEqual([
      'webhooks: pet.adopted is no longer told. Readers rely on it: leave it as it was, and tell the new shape under a name of its own beside it.',
    ]);
  });
});
