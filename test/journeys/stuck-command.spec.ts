import { afterEach, expect, it } from '@jest/globals';
import type { StuckList } from '../../apps/api/ops/stuck/stuck.dto.js';
import { eventually } from '../eventually.js';
import { newFolder } from '../servers/data-folder.js';
import { runPetstore } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { oneStoreAtATime } from './in-process-petstore.js';

const { start, close } = oneStoreAtATime();
afterEach(endPrograms);

const ENV = { ORDER_HOLD: '1s' };

/** Proves contract 43.9. */
it('petstore stuck prints what is stuck, with why and what helps, from a service that runs and from a folder', async () => {
  const dataDir = newFolder();
  const { call } = await start(dataDir, {}, ENV);
  const stuck = async (...args: readonly string[]): Promise<string> => {
    const { code, stdout, stderr } = await runPetstore(['stuck', ...args], { dataDir, env: ENV });
    expect([code, stderr]).toEqual([0, '']);
    return stdout;
  };
  expect(await stuck('--older-than', '0s')).toBe('Nothing is stuck.\n');
  // The timer does not see what a paused read model lacks.
  expect((await call('POST', '/v1/ops/projections/orders/pause', { body: {} })).status).toBe(204);
  const pet = await call('POST', '/v1/pets', { body: { name: 'Rex', species: 'DOG', ageMonths: 4 } });
  const order = await call('POST', '/v1/orders', { body: { petId: pet.json['id'] } });
  const [item] = await eventually('the order that is due', async () => {
    const { items } = (await call('GET', '/v1/ops/stuck?olderThan=0')).json as unknown as StuckList;
    return items.length > 0 ? items : null;
  });
  const printed = [
    'Orders are unpaid for longer than ORDER_HOLD and not cancelled: 1',
    `  order-${String(order.json['id'])}  since ${item?.since}`,
    '    why: staff has paused the read model orders, by which it is found',
    '    helps: petstore projections resume orders',
    '',
    '1 thing is stuck.',
    '',
  ].join('\n');
  expect(await stuck('--older-than', '0s')).toBe(printed);
  expect(JSON.parse(await stuck('--json'))).toEqual({ count: 0, isComplete: true, kinds: [], items: [] });
  await close();
  expect(await stuck('--older-than', '0s')).toBe(printed);
});
