import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../eventually.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { beginCommand, petstore, spawnStore, tokenFor } from '../servers/process.js';
import { endPrograms, type Program } from '../servers/program.js';
import type { Received } from '../servers/receiver.js';
import { interrupted, openWorkshop, REFUSED, saying, secretSaid, SLOW, type Workshop } from './command-fixture.js';

jest.setTimeout(SLOW);

const TENANT = '0b9f5f0e-1c1d-4c53-9a3e-0d3c8a1f5a77';
const STACK = /\n\s+at /;
/** What fails is tried again soon, and not given up. */
const PATIENT = { WEBHOOK_RETRY_DELAYS: ['0s', ...Array<string>(60).fill('1s')].join() };

let workshop: Workshop;
beforeAll(async () => {
  workshop = await openWorkshop(PATIENT);
});
beforeEach(() => {
  workshop.receiver.received.length = 0;
  workshop.receiver.answer(() => ({ status: 204 }));
});
afterEach(async () => {
  for (const { id } of await workshop.endpoints()) await workshop.call('DELETE', `/v1/webhooks/${id}`);
});
afterAll(async () => {
  await workshop.receiver.close();
  await endPrograms();
  removeFolders();
});

const listening = async (...more: readonly string[]): Promise<{ readonly program: Program; readonly secret: string }> => {
  const program = workshop.begin('listen', '--forward-to', workshop.hook, ...more);
  return { program, secret: await secretSaid(program) };
};

const arrived = (count: number): Promise<readonly Received[]> => {
  const { received } = workshop.receiver;
  return eventually(`${count} to arrive, where ${received.length} have`, () => (received.length >= count ? received : null), SLOW / 4);
};

describe('petstore listen', () => {
  it('has new events posted to the address, signed with the secret it shows, and says what came of each', async () => {
    const { program, secret } = await listening();
    await workshop.listPet();
    const [request] = await arrived(1);
    const event = new Webhook(secret).verify(request?.body ?? '', request?.headers as Record<string, string>);
    expect(event).toMatchObject({ eventType: 'pet.statusChanged', data: { previousStatus: null, newStatus: 'AVAILABLE' } });
    expect(request?.path).toBe('/hook');
    await saying(program, new RegExp(`^\\S+Z  pet\\.statusChanged  ${String(request?.headers['webhook-id'])}  204  \\d+ ms$`, 'm'));
    expect(program.stdout().split(secret)).toHaveLength(2);
    expect(await interrupted(program)).toEqual({ code: 0, signal: null });
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('takes its endpoint away when %s ends it, however often it comes', async (signal) => {
    const { program } = await listening('--events', 'order.statusChanged,PET.adopted', '--ordered');
    expect(await workshop.endpoints()).toEqual([
      expect.objectContaining({ events: ['order.statusChanged', 'pet.adopted'], ordered: true, status: 'enabled' }),
    ]);
    // While the store does not answer, what is done at the end takes its time.
    workshop.store.signal('SIGSTOP');
    try {
      program.signal(signal);
      await saying(program, /Stopping/);
      program.signal(signal);
    } finally {
      workshop.store.signal('SIGCONT');
    }
    expect(await program.ended).toEqual({ code: 0, signal: null });
    expect(program.stderr()).toMatch(/is removed/);
    expect(await workshop.endpoints()).toEqual([]);
  });

  it('says of a failed attempt when the next one is', async () => {
    workshop.receiver.answer(() => ({ status: 500 }));
    const { program } = await listening();
    await workshop.listPet();
    await saying(program, /pet\.statusChanged {2}\S+ {2}500 {2}\d+ ms {2}next attempt \d{4}-\S+Z\n/);
    workshop.receiver.answer(() => ({ status: 204 }));
    await saying(program, /pet\.statusChanged {2}\S+ {2}204 {2}\d+ ms\n/);
    await interrupted(program);
  });

  it('hears of one tenant only, when one is named', async () => {
    // A token that is bound to no tenant: it is the option that says where.
    const { program } = await listening('--tenant', TENANT, '--token', await tokenFor(workshop.dataDir, 'write:webhooks'));
    await workshop.listPet();
    await workshop.listPet({ 'x-tenant-id': TENANT });
    const [request] = await arrived(1);
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ data: { pet: { tenantId: TENANT } } });
    await interrupted(program);
    expect(workshop.receiver.received).toHaveLength(1);
  });

  it('works on a store elsewhere, with a token from the environment', async () => {
    const token = await tokenFor(workshop.dataDir, 'write:webhooks');
    const elsewhere = { dataDir: newFolder(), env: { PETSTORE_TOKEN: token } };
    const args = ['listen', '--forward-to', workshop.hook, '--url', workshop.store.url];
    const refused = await petstore(args, { ...elsewhere, env: { PETSTORE_TOKEN: 'mine' } });
    expect([refused.code, refused.stdout]).toEqual([REFUSED, '']);
    expect(refused.stderr).toMatch(/401.*PETSTORE_TOKEN/s);
    expect(refused.stderr).not.toMatch(STACK);
    const program = beginCommand(args, elsewhere);
    await secretSaid(program);
    expect(await interrupted(program)).toMatchObject({ code: 0 });
  });

  it('removes what one that was killed has left behind, and nothing else', async () => {
    const own = await workshop.register();
    const [killed, other] = [await listening(), await listening()];
    killed.program.signal('SIGKILL');
    await killed.program.ended;
    expect(await workshop.endpoints()).toHaveLength(3);
    const { program } = await listening();
    expect(program.stderr()).toMatch(/a killed process left behind/);
    const left = await workshop.endpoints();
    expect(left).toHaveLength(3);
    expect(left.map(({ id }) => id)).toContain(own.id);
    await Promise.all([interrupted(program), interrupted(other.program)]);
    expect((await workshop.endpoints()).map(({ id }) => id)).toEqual([own.id]);
  });

  it('names an endpoint that is registered for the address already: a receiver that knows its secret refuses the other', async () => {
    const own = await workshop.register();
    await workshop.register({ url: workshop.hook.replace('/hook', '/elsewhere') });
    const { program } = await listening();
    expect(program.stderr().match(/^Endpoint .*/gm)).toEqual([
      expect.stringContaining(`Endpoint ${own.id} is registered for ${workshop.hook}`),
    ]);
    await interrupted(program);
  });

  it('ends when somebody removes its endpoint', async () => {
    const { program } = await listening();
    const [endpoint] = await workshop.endpoints();
    await workshop.call('DELETE', `/v1/webhooks/${endpoint?.id}`);
    expect(await program.ended).toEqual({ code: REFUSED, signal: null });
    expect(program.stderr()).toMatch(/was removed by another client/);
    expect(program.stderr()).not.toMatch(STACK);
  });

  it.each([
    [
      'an address where no store answers',
      ['--forward-to', 'http://127.0.0.1:4000', '--url', 'http://127.0.0.1:9', '--token', 'x'],
      /no store answers/,
    ],
    // A token by this store's keys would be worth stealing.
    [
      'another store without a token of it',
      ['--forward-to', 'http://127.0.0.1:4000', '--url', 'http://127.0.0.1:9'],
      /--token is missing: the store in .* does not run at http:\/\/127\.0\.0\.1:9/,
    ],
    [
      'a store whose address is none',
      ['--forward-to', 'http://127.0.0.1:4000', '--url', 'foo'],
      /--url foo has no scheme; try http:\/\/foo/,
    ],
    // EGRESS_ALLOW=loopback, by which this store runs, does not open it.
    [
      'a private address',
      ['--forward-to', 'http://10.1.1.1/'],
      /not one of the public Internet.*\nPass an address on the public Internet\. No setting allows this one/,
    ],
    [
      'an address of another scheme',
      ['--forward-to', 'ftp://127.0.0.1/'],
      /--forward-to "ftp:\/\/127\.0\.0\.1\/" is not an http or https address; example: http/,
    ],
  ])('refuses %s in words', async (_, args, words) => {
    const { code, stdout, stderr } = await workshop.run('listen', ...args);
    expect([code, stdout]).toEqual([REFUSED, '']);
    expect(stderr).toMatch(words);
    expect(stderr).not.toMatch(STACK);
  });

  it('says how to start a store when none runs', async () => {
    const { code, stderr } = await petstore(['listen', '--forward-to', workshop.hook], { dataDir: newFolder() });
    expect([code, stderr]).toEqual([REFUSED, expect.stringMatching(/no store is running on .*"npm run petstore -- start"/)]);
  });
});

describe('petstore listen, and a store', () => {
  it('that may not send to this machine: the store’s reason is told, and what to do', async () => {
    const dataDir = newFolder();
    const store = await spawnStore({ dataDir, env: { EGRESS_ALLOW: 'none' } });
    const { code, stderr } = await petstore(['listen', '--forward-to', workshop.hook], { dataDir });
    expect([code, stderr]).toEqual([
      REFUSED,
      expect.stringMatching(/Its address is not one of the public Internet.*EGRESS_ALLOW=loopback/s),
    ]);
    await store.stop();
  });

  it('that stops and starts again: it waits, and goes on', async () => {
    const dataDir = newFolder();
    const first = await spawnStore({ dataDir });
    const env = { PORT: new URL(first.url).port };
    const program = beginCommand(['listen', '--forward-to', workshop.hook], { dataDir });
    await secretSaid(program);
    await first.stop();
    await saying(program, /Waiting: no store answers/);
    const second = await spawnStore({ dataDir, env });
    await saying(program, /The store answers again/);
    await second.stop();
    expect(await interrupted(program)).toEqual({ code: 1, signal: null });
    // What it could not remove is told, with what to do about it.
    expect(program.stderr()).toMatch(/is left behind: no store answers.*next listen or replay.*DELETE http/s);
  });
});
