import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../eventually.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { startPetstore, runPetstore, startServiceProcess, tokenFor } from '../servers/process.js';
import { endPrograms, type Program } from '../servers/program.js';
import type { ReceivedRequest } from '../servers/receiver.js';
import { interrupt, openCommandFixture, REJECTED, waitForOutput, waitForSecret, type CommandFixture } from './command-fixture.js';

const TENANT = '0b9f5f0e-1c1d-4c53-9a3e-0d3c8a1f5a77';
const STACK = /\n\s+at /;
/** Retries failed deliveries every second, and does not park them. */
const FAST_RETRIES = { WEBHOOK_RETRY_DELAYS: ['0s', ...Array<string>(60).fill('1s')].join() };

let fixture: CommandFixture;
beforeAll(async () => {
  fixture = await openCommandFixture(FAST_RETRIES);
});
beforeEach(() => {
  fixture.receiver.received.length = 0;
  fixture.receiver.respondWith(() => ({ status: 204 }));
});
afterEach(async () => {
  for (const { id } of await fixture.endpoints()) await fixture.call('DELETE', `/v1/webhooks/${id}`);
});
afterAll(async () => {
  await fixture.receiver.close();
  await endPrograms();
  removeFolders();
});

const startListening = async (...more: readonly string[]): Promise<{ readonly program: Program; readonly secret: string }> => {
  const program = fixture.startCommand('listen', '--forward-to', fixture.hook, ...more);
  return { program, secret: await waitForSecret(program) };
};

const waitForRequests = (count: number): Promise<readonly ReceivedRequest[]> => {
  const { received } = fixture.receiver;
  return eventually(`${count} requests, now ${received.length}`, () => (received.length >= count ? received : null));
};

describe('petstore listen', () => {
  it('posts new events to the address, signed with the printed secret, and prints each result', async () => {
    const { program, secret } = await startListening();
    await fixture.listPet();
    const [request] = await waitForRequests(1);
    const event = new Webhook(secret).verify(request?.body ?? '', request?.headers as Record<string, string>);
    expect(event).toMatchObject({ eventType: 'pet.statusChanged', data: { previousStatus: null, newStatus: 'AVAILABLE' } });
    expect(request?.path).toBe('/hook');
    await waitForOutput(
      program,
      new RegExp(`^\\S+Z  pet\\.statusChanged  ${String(request?.headers['webhook-id'])}  pet \\S+ AVAILABLE  204  \\d+ ms$`, 'm'),
    );
    expect(program.stdout().split(secret)).toHaveLength(2);
    expect(await interrupt(program)).toEqual({ code: 0, signal: null });
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
    'removes its endpoint when %s stops it, also when the signal is repeated',
    async (signal) => {
      const { program } = await startListening('--events', 'order.statusChanged,PET.adopted', '--ordered');
      expect(await fixture.endpoints()).toEqual([
        expect.objectContaining({ events: ['order.statusChanged', 'pet.adopted'], ordered: true, status: 'enabled' }),
      ]);
      // While the service is paused, the removal waits, so that the second signal arrives during the removal.
      fixture.service.signal('SIGSTOP');
      try {
        program.signal(signal);
        await waitForOutput(program, /Stopping/);
        program.signal(signal);
      } finally {
        fixture.service.signal('SIGCONT');
      }
      expect(await program.ended).toEqual({ code: 0, signal: null });
      expect(program.stderr()).toMatch(/is removed/);
      expect(await fixture.endpoints()).toEqual([]);
    },
  );

  it('prints the time of the next attempt after a failed attempt', async () => {
    fixture.receiver.respondWith(() => ({ status: 500 }));
    const { program } = await startListening();
    await fixture.listPet();
    await waitForOutput(program, /pet\.statusChanged {2}\S+ {2}pet \S+ AVAILABLE {2}500 {2}\d+ ms {2}next attempt \d{4}-\S+Z\n/);
    fixture.receiver.respondWith(() => ({ status: 204 }));
    await waitForOutput(program, /pet\.statusChanged {2}\S+ {2}pet \S+ AVAILABLE {2}204 {2}\d+ ms\n/);
    await interrupt(program);
  });

  it('receives only the events of the tenant in --tenant', async () => {
    // The token is not bound to a tenant, so the option sets it.
    const { program } = await startListening('--tenant', TENANT, '--token', await tokenFor(fixture.dataDir, 'write:webhooks'));
    await fixture.listPet();
    await fixture.listPet({ 'x-tenant-id': TENANT });
    const [request] = await waitForRequests(1);
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ data: { pet: { tenantId: TENANT } } });
    await interrupt(program);
    expect(fixture.receiver.received).toHaveLength(1);
  });

  it('works with a service at --url and a token from the environment', async () => {
    const token = await tokenFor(fixture.dataDir, 'write:webhooks');
    const elsewhere = { dataDir: newFolder(), env: { PETSTORE_TOKEN: token } };
    const args = ['listen', '--forward-to', fixture.hook, '--url', fixture.service.url];
    const rejected = await runPetstore(args, { ...elsewhere, env: { PETSTORE_TOKEN: 'mine' } });
    expect([rejected.code, rejected.stdout]).toEqual([REJECTED, '']);
    expect(rejected.stderr).toMatch(/401.*PETSTORE_TOKEN/s);
    expect(rejected.stderr).not.toMatch(STACK);
    const program = startPetstore(args, elsewhere);
    await waitForSecret(program);
    expect(await interrupt(program)).toMatchObject({ code: 0 });
  });

  it('removes the endpoint of a killed process, and no other endpoint', async () => {
    const own = await fixture.register();
    const [killed, other] = [await startListening(), await startListening()];
    killed.program.signal('SIGKILL');
    await killed.program.ended;
    expect(await fixture.endpoints()).toHaveLength(3);
    const { program, secret } = await startListening();
    expect(program.stderr()).toMatch(/a killed process left behind/);
    // The receiver keeps its secret, so none of these commands warns of another one.
    expect([killed.secret, other.secret]).toEqual([secret, secret]);
    expect(program.stderr().match(/with another secret/g)).toHaveLength(1);
    const left = await fixture.endpoints();
    expect(left).toHaveLength(3);
    expect(left.map(({ id }) => id)).toContain(own.id);
    await Promise.all([interrupt(program), interrupt(other.program)]);
    expect((await fixture.endpoints()).map(({ id }) => id)).toEqual([own.id]);
  });

  it('names an endpoint that is already registered for the address, because its secret is not the printed one', async () => {
    const own = await fixture.register();
    await fixture.register({ url: fixture.hook.replace('/hook', '/elsewhere') });
    const { program } = await startListening();
    expect(program.stderr().match(/^Endpoint .*/gm)).toEqual([
      expect.stringContaining(`Endpoint ${own.id} is registered for ${fixture.hook}`),
    ]);
    await interrupt(program);
  });

  it('exits when another client removes its endpoint', async () => {
    const { program } = await startListening();
    const [endpoint] = await fixture.endpoints();
    await fixture.call('DELETE', `/v1/webhooks/${endpoint?.id}`);
    expect(await program.ended).toEqual({ code: REJECTED, signal: null });
    expect(program.stderr()).toMatch(/was removed by another client/);
    expect(program.stderr()).not.toMatch(STACK);
  });

  it.each([
    [
      'a --url where no service responds',
      ['--forward-to', 'http://127.0.0.1:4000', '--url', 'http://127.0.0.1:9', '--token', 'x'],
      /no service answers/,
    ],
    // The command does not send a token of its store to another server, which could steal the token.
    [
      'another --url without --token',
      ['--forward-to', 'http://127.0.0.1:4000', '--url', 'http://127.0.0.1:9'],
      /--token is missing: the service at http:\/\/127\.0\.0\.1:9 does not run on /,
    ],
    ['a --url without a scheme', ['--forward-to', 'http://127.0.0.1:4000', '--url', 'foo'], /--url foo has no scheme; try http:\/\/foo/],
    // The service runs with EGRESS_ALLOW=loopback, which does not allow private addresses.
    [
      'a private address',
      ['--forward-to', 'http://10.1.1.1/'],
      /not a public Internet address.*\nPass an address on the public Internet\. No setting allows this one/,
    ],
    [
      'an address of another scheme',
      ['--forward-to', 'ftp://127.0.0.1/'],
      /--forward-to "ftp:\/\/127\.0\.0\.1\/" is not an http or https address; example: http/,
    ],
  ])('rejects %s with a message', async (_, args, message) => {
    const { code, stdout, stderr } = await fixture.run('listen', ...args);
    expect([code, stdout]).toEqual([REJECTED, '']);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(STACK);
  });

  it('prints how to start the service when it does not run', async () => {
    const { code, stderr } = await runPetstore(['listen', '--forward-to', fixture.hook], { dataDir: newFolder() });
    expect([code, stderr]).toEqual([REJECTED, expect.stringMatching(/no service is running on .*DATA_DIR=.* npm run petstore -- start"/)]);
  });
});

describe('petstore listen', () => {
  it('prints why the service must not send to this machine, and the remedy', async () => {
    const dataDir = newFolder();
    const service = await startServiceProcess({ dataDir, env: { EGRESS_ALLOW: 'none' } });
    const { code, stderr } = await runPetstore(['listen', '--forward-to', fixture.hook], { dataDir });
    expect([code, stderr]).toEqual([
      REJECTED,
      expect.stringMatching(/Its address is not a public Internet address.*EGRESS_ALLOW=loopback/s),
    ]);
    await service.stop();
  });

  it('waits while the service restarts, and then continues', async () => {
    const dataDir = newFolder();
    const first = await startServiceProcess({ dataDir });
    const env = { PORT: new URL(first.url).port };
    const program = startPetstore(['listen', '--forward-to', fixture.hook], { dataDir });
    await waitForSecret(program);
    await first.stop();
    await waitForOutput(program, /Waiting: no service answers/);
    const second = await startServiceProcess({ dataDir, env });
    await waitForOutput(program, /The service answers again/);
    await second.stop();
    expect(await interrupt(program)).toEqual({ code: 1, signal: null });
    // The command prints the endpoint that it could not remove, and the remedy.
    expect(program.stderr()).toMatch(/is left behind: no service answers.*next listen or replay.*DELETE http/s);
  });
});
