import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../eventually.js';
import { removeFolders } from '../servers/data-folder.js';
import { endPrograms, ROOT, startProgram, type Program } from '../servers/program.js';
import type { ReceivedRequest } from '../servers/receiver.js';
import { sharedPython } from '../servers/services/python.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { interrupt, openCommandFixture, waitForOutput, waitForSecret, type CommandFixture } from './command-fixture.js';

const TENANT = '0b9f5f0e-1c1d-4c53-9a3e-0d3c8a1f5a77';
const PETS = 3;
const HOURS_AGO = ['--since', '1h'];

let fixture: CommandFixture;
/** A service that parks a delivery after two attempts. */
let earlyParkingFixture: CommandFixture;
/** The `webhook-id` of each pet's event at its first delivery. */
let original: readonly unknown[];
/** A time after the pets were created and before the order was placed. */
let afterPets: string;
beforeAll(async () => {
  [fixture, earlyParkingFixture] = await Promise.all([openCommandFixture(), openCommandFixture({ WEBHOOK_RETRY_DELAYS: '0s,0s' })]);
  const { id } = await fixture.register();
  for (let nth = 0; nth < PETS; nth++) await fixture.listPet();
  const { received } = fixture.receiver;
  await eventually('the events of the pets', () => received.length === PETS);
  original = idsOf(received);
  await fixture.call('DELETE', `/v1/webhooks/${id}`);
  afterPets = new Date().toISOString();
  // Waits for the next millisecond, so that all later events have a later time.
  await eventually('the next millisecond', () => new Date().toISOString() > afterPets);
  await fixture.run('trigger', 'order.statusChanged');
  await earlyParkingFixture.listPet();
});
beforeEach(() => {
  for (const { receiver } of [fixture, earlyParkingFixture]) {
    receiver.received.length = 0;
    receiver.respondWith(() => ({ status: 204 }));
  }
});
afterAll(async () => {
  await Promise.all([fixture, earlyParkingFixture].map(({ receiver }) => receiver.close()));
  await endPrograms();
  removeFolders();
});

const idsOf = (received: readonly ReceivedRequest[]): readonly unknown[] => received.map(({ headers }) => headers['webhook-id']).toSorted();
const typesOf = (received: readonly ReceivedRequest[]): readonly string[] =>
  received.map(({ body }) => (JSON.parse(body) as { eventType: string }).eventType).toSorted();

const CTRL_C = '\x03';
const PETSTORE = [join(ROOT, 'node_modules', '.bin', 'node'), join(ROOT, 'dist', 'apps', 'petstore', 'main.js')];
const IN_A_TERMINAL = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';

/**
 * Starts a command at a terminal. Python creates the terminal, because Node cannot. `stdout` of the returned program contains
 * the standard output and the standard error of the command.
 */
const startAtTerminal = (python: string, ...args: readonly string[]): Program =>
  startProgram(python, ['-c', IN_A_TERMINAL, ...PETSTORE, ...args], { env: { DATA_DIR: fixture.dataDir } });
const found = await sharedPython();

/** Proves contract 20.12 and contract 27.6. */
describe('petstore replay', () => {
  it('sends past events with their ids, signed with the printed secret, and removes its endpoint', async () => {
    const { code, stdout, stderr } = await fixture.run('replay', ...HOURS_AGO, '--until', afterPets, '--to', fixture.hook);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/\n3 delivered, 0 parked, 0 not yet delivered\n$/)]);
    expect(stderr).toMatch(/3 deliveries in .* is removed/s);
    expect(idsOf(fixture.receiver.received)).toEqual(original);
    const [secret = ''] = /whsec_\S+/.exec(stdout) ?? [];
    for (const { body, headers } of fixture.receiver.received)
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({ eventType: 'pet.statusChanged' });
    expect(await fixture.endpoints()).toEqual([]);
  });

  it('sends only events since --since', async () => {
    const { code } = await fixture.run('replay', '--since', afterPets, '--to', fixture.hook);
    expect(code).toBe(0);
    expect(typesOf(fixture.receiver.received)).toEqual(['order.statusChanged', 'pet.statusChanged', 'pet.statusChanged']);
  });

  it('sends only the events of --events', async () => {
    const { code, stdout } = await fixture.run('replay', ...HOURS_AGO, '--to', fixture.hook, '--events', 'order.statusChanged');
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 delivered')]);
    expect(typesOf(fixture.receiver.received)).toEqual(['order.statusChanged']);
  });

  it('uses the endpoint that is registered for the address, because the receiver knows its secret', async () => {
    const { id, secret } = await fixture.register({ events: ['pet.statusChanged'] });
    const { code, stdout } = await fixture.run('replay', ...HOURS_AGO, '--until', afterPets, '--to', fixture.hook);
    expect([code, stdout]).toEqual([0, expect.stringMatching(new RegExp(`Endpoint ${id} is registered.*\\n3 delivered`, 's'))]);
    expect(stdout).not.toMatch(/whsec_/);
    const [first] = fixture.receiver.received;
    expect(new Webhook(secret).verify(first?.body ?? '', first?.headers as Record<string, string>)).toBeDefined();
    expect((await fixture.endpoints()).map((endpoint) => endpoint.id)).toEqual([id]);
    await fixture.call('DELETE', `/v1/webhooks/${id}`);
  });

  it('names the endpoint that it uses when several are registered for the address', async () => {
    const endpoints = [await fixture.register(), await fixture.register()];
    const { code, stdout } = await fixture.run('replay', ...HOURS_AGO, '--until', afterPets, '--to', fixture.hook);
    const newest = endpoints.at(-1)?.id;
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^Endpoint ${newest} is registered.*\\nIt is the newest of 2 endpoints`)),
    ]);
    for (const { id } of endpoints) await fixture.call('DELETE', `/v1/webhooks/${id}`);
  });

  it('prints that there are no events', async () => {
    const { code, stdout } = await fixture.run('replay', '--since', '2020-01-01', '--until', '2020-01-02', '--to', fixture.hook);
    expect([code, stdout]).toEqual([0, expect.stringContaining('No matching events')]);
    expect(await fixture.endpoints()).toEqual([]);
  });

  it('exits with 1 when a delivery is parked, and prints the reason', async () => {
    earlyParkingFixture.receiver.respondWith(() => ({ status: 503 }));
    const { code, stdout } = await earlyParkingFixture.run('replay', ...HOURS_AGO, '--to', earlyParkingFixture.hook);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/\n0 delivered, 1 parked, 0 not yet delivered\n {2}pet\.statusChanged \S+: 503\n$/),
    ]);
    expect(await earlyParkingFixture.endpoints()).toEqual([]);
  });

  it('stops after --wait and prints the number of open deliveries', async () => {
    fixture.receiver.respondWith(() => ({ status: 401 }));
    const replay = ['replay', ...HOURS_AGO, '--to', fixture.hook, '--events', 'order.statusChanged', '--wait', '1s'];
    const { code, stdout } = await fixture.run(...replay);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/0 delivered, 0 parked, 1 not yet delivered/)]);
    expect(await fixture.endpoints()).toEqual([]);
  });

  it('stops when the receiver refuses every delivery for the same reason', async () => {
    fixture.receiver.respondWith(() => ({ status: 401 }));
    const { code, stdout, stderr } = await fixture.run('replay', ...HOURS_AGO, '--to', fixture.hook, '--events', 'order.statusChanged');
    expect([code, stdout]).toEqual([1, expect.stringMatching(/0 delivered, 0 parked, 1 not yet delivered/)]);
    expect(stderr).toMatch(/failed with 401; next attempt .*\nEvery delivery fails alike \(401\), so replay stops\./);
  });

  it('stops when more deliveries fail alike than a page lists', async () => {
    for (let pet = 0; pet <= 100; pet++) await fixture.listPet({ 'x-tenant-id': TENANT });
    fixture.receiver.respondWith(() => ({ status: 401 }));
    const { code, stdout, stderr } = await fixture.run('replay', ...HOURS_AGO, '--to', fixture.hook, '--tenant', TENANT);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/0 delivered, 0 parked, 101 not yet delivered/)]);
    expect(stderr).toMatch(/Every delivery fails alike \(401\), so replay stops\./);
  });

  it('prints why it waits, and stops when it is interrupted', async () => {
    fixture.receiver.respondWith(() => ({ status: 401 }));
    const program = fixture.startCommand('replay', ...HOURS_AGO, '--to', fixture.hook);
    await waitForSecret(program);
    await waitForOutput(program, /failed with 401; next attempt at \d{4}-/);
    expect(await interrupt(program)).toEqual({ code: 1, signal: null });
    expect(program.stdout()).toMatch(/0 delivered, 0 parked, 6 not yet delivered/);
    expect(program.stderr().match(/failed with 401/g)).toHaveLength(1);
    expect(await fixture.endpoints()).toEqual([]);
  });
});

/** Proves contract 20.12. */
describeIfAvailable('petstore replay at a terminal', found, ({ python }) => {
  it('waits until Enter is pressed after it has printed the secret, and sends nothing when it is stopped before', async () => {
    const program = startAtTerminal(python, 'replay', ...HOURS_AGO, '--until', afterPets, '--to', fixture.hook);
    await waitForOutput(program, /whsec_.*\s+Configure the receiver with this secret, then press Enter/);
    expect(fixture.receiver.received).toEqual([]);
    program.write('\n');
    await waitForOutput(program, /3 delivered, 0 parked/);
    expect(await program.ended).toEqual({ code: 0, signal: null });

    fixture.receiver.received.length = 0;
    const stopped = startAtTerminal(python, 'replay', ...HOURS_AGO, '--to', fixture.hook);
    await waitForOutput(stopped, /press Enter/);
    stopped.write(CTRL_C);
    expect(await stopped.ended).toEqual({ code: 1, signal: null });
    expect(stopped.stdout()).toMatch(/is removed/);
    expect(fixture.receiver.received).toEqual([]);
    expect(await fixture.endpoints()).toEqual([]);
  });
});
