import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import type { JsonSchema } from '../../libs/contracts/message-schema.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { ACCEPT_COMMAND, isAccepting } from './golden-files.js';
import { accept, acceptedChannels, compatibleAdditions, breakingChanges, declaredChannels, type Channels } from './message-schemas.js';

const declared = declaredChannels();
if (isAccepting) accept(declared);
const accepted = acceptedChannels();

/** Proves contract 22.1 and contract 28.7. */
describe('the declared messages', () => {
  it('break no consumer of the accepted schemas', () => expect(breakingChanges(accepted, declared)).toEqual([]));

  it('are all accepted', () => expect(compatibleAdditions(accepted, declared)).toEqual([]));

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
  afterAll(removeFolders);
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

  it('names the command that accepts an addition', () =>
    expect(compatibleAdditions(declared, changed('"shipDate":{', '"gift":{"type":"boolean"},"shipDate":{'))).toEqual([
      `${TOPIC}: ${PLACED}.data.gift is added. The change is compatible; to accept it, run: ${ACCEPT_COMMAND}`,
    ]));

  it('detects a removed topic', () => {
    const { [TOPIC]: _, ...rest } = declared;
    expect(breakingChanges(declared, rest)).toHaveLength(Object.keys(declared[TOPIC] ?? {}).length);
  });

  it('does not accept a breaking change', () =>
    expect(() => accept(changed('"shipDate":{', '"sentOn":{'))).toThrow('restore the accepted schema'));

  it('writes only the files of channels with an addition', () => {
    const folder = newFolder();
    cpSync(new URL('message-schemas/', import.meta.url), folder, { recursive: true });
    const [orders, webhooks] = [join(folder, `${TOPIC}.json`), join(folder, 'webhooks.json')];
    // Changes only the layout of this file. Its schemas have no addition, so `accept` must not write it.
    writeFileSync(webhooks, JSON.stringify(JSON.parse(readFileSync(webhooks, 'utf8'))));
    const before = readFileSync(webhooks, 'utf8');
    const added = changed('"shipDate":{', '"gift":{"type":"boolean"},"shipDate":{');
    accept(added, pathToFileURL(`${folder}/`));
    expect(readFileSync(webhooks, 'utf8')).toBe(before);
    expect(JSON.parse(readFileSync(orders, 'utf8'))).toEqual(added[TOPIC]);
  });

  it('requires a new name for a changed webhook', () => {
    const { 'pet.adopted': _, ...rest } = declared['webhooks'] ?? {};
    expect(breakingChanges(declared, { ...declared, webhooks: rest })).toEqual([
      'webhooks: pet.adopted is no longer published. This breaks consumers: restore the accepted schema, and publish the new shape under a new name.',
    ]);
  });
});
