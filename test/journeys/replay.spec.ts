import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../eventually.js';
import { removeFolders } from '../servers/data-folder.js';
import { endPrograms, ROOT, startProgram, type Program } from '../servers/program.js';
import type { Received } from '../servers/receiver.js';
import { sharedPython } from '../servers/services/python.js';
import { whenThere } from '../servers/services/when-there.js';
import { interrupted, openWorkshop, saying, secretSaid, SLOW, type Workshop } from './command-fixture.js';

jest.setTimeout(SLOW);

const PETS = 3;
const HOURS_AGO = ['--since', '1h'];

let workshop: Workshop;
/** The same store, where a delivery is tried twice and then parked. */
let impatient: Workshop;
/** The ids under which an endpoint of the time heard of the pets. */
let original: readonly unknown[];
/** When they had been listed, and before the order. */
let between: string;
beforeAll(async () => {
  [workshop, impatient] = await Promise.all([openWorkshop(), openWorkshop({ WEBHOOK_RETRY_DELAYS: '0s,0s' })]);
  const { id } = await workshop.register();
  for (let nth = 0; nth < PETS; nth++) await workshop.listPet();
  const { received } = workshop.receiver;
  await eventually('the pets to be told', () => received.length === PETS, SLOW / 4);
  original = idsOf(received);
  await workshop.call('DELETE', `/v1/webhooks/${id}`);
  between = new Date().toISOString();
  // By the clock of the same machine: what happens from here on is later than `between`.
  await eventually('the next millisecond', () => new Date().toISOString() > between);
  await workshop.run('trigger', 'order.statusChanged');
  await impatient.listPet();
});
beforeEach(() => {
  for (const { receiver } of [workshop, impatient]) {
    receiver.received.length = 0;
    receiver.answer(() => ({ status: 204 }));
  }
});
afterAll(async () => {
  await Promise.all([workshop, impatient].map(({ receiver }) => receiver.close()));
  await endPrograms();
  removeFolders();
});

const idsOf = (received: readonly Received[]): readonly unknown[] => received.map(({ headers }) => headers['webhook-id']).toSorted();
const typesOf = (received: readonly Received[]): readonly string[] =>
  received.map(({ body }) => (JSON.parse(body) as { eventType: string }).eventType).toSorted();

const CTRL_C = '\x03';
const PETSTORE = [join(ROOT, 'node_modules', '.bin', 'node'), join(ROOT, 'dist', 'apps', 'petstore', 'main.js')];
const IN_A_TERMINAL = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))';

/** Types a command where its standard input is a terminal, of which Node makes none; all it says comes out as standard output. */
const atTerminal = (python: string, ...args: readonly string[]): Program =>
  startProgram(python, ['-c', IN_A_TERMINAL, ...PETSTORE, ...args], { env: { DATA_DIR: workshop.dataDir } });
const found = await sharedPython();

describe('petstore replay', () => {
  it('sends what happened, under the ids it had, signed with a secret it shows, and leaves nothing behind', async () => {
    const { code, stdout, stderr } = await workshop.run('replay', ...HOURS_AGO, '--until', between, '--to', workshop.hook);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/\n3 delivered, 0 parked, 0 not yet delivered\n$/)]);
    expect(stderr).toMatch(/3 deliveries in .* is removed/s);
    expect(idsOf(workshop.receiver.received)).toEqual(original);
    const [secret = ''] = /whsec_\S+/.exec(stdout) ?? [];
    for (const { body, headers } of workshop.receiver.received)
      expect(new Webhook(secret).verify(body, headers as Record<string, string>)).toMatchObject({ eventType: 'pet.statusChanged' });
    expect(await workshop.endpoints()).toEqual([]);
  });

  it('sends only what happened from then on', async () => {
    const { code } = await workshop.run('replay', '--since', between, '--to', workshop.hook);
    expect(code).toBe(0);
    expect(typesOf(workshop.receiver.received)).toEqual(['order.statusChanged', 'pet.statusChanged', 'pet.statusChanged']);
  });

  it('sends only the events that are named', async () => {
    const { code, stdout } = await workshop.run('replay', ...HOURS_AGO, '--to', workshop.hook, '--events', 'order.statusChanged');
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 delivered')]);
    expect(typesOf(workshop.receiver.received)).toEqual(['order.statusChanged']);
  });

  it('goes by the endpoint that is registered for the address, whose secret the receiver knows', async () => {
    const { id, secret } = await workshop.register({ events: ['pet.statusChanged'] });
    const { code, stdout } = await workshop.run('replay', ...HOURS_AGO, '--until', between, '--to', workshop.hook);
    expect([code, stdout]).toEqual([0, expect.stringMatching(new RegExp(`Endpoint ${id} is registered.*\\n3 delivered`, 's'))]);
    expect(stdout).not.toMatch(/whsec_/);
    const [first] = workshop.receiver.received;
    expect(new Webhook(secret).verify(first?.body ?? '', first?.headers as Record<string, string>)).toBeDefined();
    expect((await workshop.endpoints()).map((endpoint) => endpoint.id)).toEqual([id]);
    await workshop.call('DELETE', `/v1/webhooks/${id}`);
  });

  it('names the one it goes by of several that are registered for the address', async () => {
    const endpoints = [await workshop.register(), await workshop.register()];
    const { code, stdout } = await workshop.run('replay', ...HOURS_AGO, '--until', between, '--to', workshop.hook);
    const newest = endpoints.at(-1)?.id;
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(new RegExp(`^Endpoint ${newest} is registered.*\\nIt is the newest of 2 endpoints`)),
    ]);
    for (const { id } of endpoints) await workshop.call('DELETE', `/v1/webhooks/${id}`);
  });

  it('says that nothing happened, when nothing did', async () => {
    const { code, stdout } = await workshop.run('replay', '--since', '2020-01-01', '--until', '2020-01-02', '--to', workshop.hook);
    expect([code, stdout]).toEqual([0, expect.stringContaining('There are no such events')]);
    expect(await workshop.endpoints()).toEqual([]);
  });

  it('ends with 1 when something is parked, and says what, and why', async () => {
    impatient.receiver.answer(() => ({ status: 503 }));
    const { code, stdout } = await impatient.run('replay', ...HOURS_AGO, '--to', impatient.hook);
    expect([code, stdout]).toEqual([
      1,
      expect.stringMatching(/\n0 delivered, 1 parked, 0 not yet delivered\n {2}pet\.statusChanged \S+: 503\n$/),
    ]);
    expect(await impatient.endpoints()).toEqual([]);
  });

  it('waits no longer than it is told, and says what is not delivered yet', async () => {
    workshop.receiver.answer(() => ({ status: 401 }));
    const replay = ['replay', ...HOURS_AGO, '--to', workshop.hook, '--events', 'order.statusChanged', '--wait', '1s'];
    const { code, stdout } = await workshop.run(...replay);
    expect([code, stdout]).toEqual([1, expect.stringMatching(/0 delivered, 0 parked, 1 not yet delivered/)]);
    expect(await workshop.endpoints()).toEqual([]);
  });

  it('says why it does not go on, and ends when it is interrupted', async () => {
    workshop.receiver.answer(() => ({ status: 401 }));
    const program = workshop.begin('replay', ...HOURS_AGO, '--to', workshop.hook);
    await secretSaid(program);
    await saying(program, /failed with 401; next attempt at \d{4}-/);
    expect(await interrupted(program)).toEqual({ code: 1, signal: null });
    expect(program.stdout()).toMatch(/0 delivered, 0 parked, 6 not yet delivered/);
    expect(program.stderr().match(/failed with 401/g)).toHaveLength(1);
    expect(await workshop.endpoints()).toEqual([]);
  });
});

whenThere('petstore replay at a terminal', found, ({ python }) => {
  it('waits at a terminal until the receiver has the secret, and sends nothing if it is stopped before', async () => {
    const program = atTerminal(python, 'replay', ...HOURS_AGO, '--until', between, '--to', workshop.hook);
    await saying(program, /whsec_.*\s+Give it to the receiver, then press Enter/);
    expect(workshop.receiver.received).toEqual([]);
    program.write('\n');
    await saying(program, /3 delivered, 0 parked/);
    expect(await program.ended).toEqual({ code: 0, signal: null });

    workshop.receiver.received.length = 0;
    const stopped = atTerminal(python, 'replay', ...HOURS_AGO, '--to', workshop.hook);
    await saying(stopped, /press Enter/);
    stopped.write(CTRL_C);
    expect(await stopped.ended).toEqual({ code: 1, signal: null });
    expect(stopped.stdout()).toMatch(/is removed/);
    expect(workshop.receiver.received).toEqual([]);
    expect(await workshop.endpoints()).toEqual([]);
  });
});
