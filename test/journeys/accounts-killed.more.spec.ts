import { afterEach, describe, expect, it } from '@jest/globals';
import { createRandom } from '../../apps/petstore/seeding/sample-pets.js';
import { eventually } from '../eventually.js';
import { caller, type Call } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { startServiceProcess, type ServiceProcess } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { snapshotOf } from '../servers/snapshot.js';

const ROUNDS = 4;
const CLIENTS = 12;
const SEED = 20260104;
const PASSWORD = 'correct horse battery';

/** A registration. `id` is the account's id, or null if the service was killed before it responded. */
type Registration = { readonly username: string; id: string | null };

const register = (call: Call, username: string, idempotencyKey?: string) => {
  const body = { username, email: `${username}@example.com`, password: PASSWORD };
  return call('POST', '/v1/users', { body, ...(idempotencyKey !== undefined && { idempotencyKey }) });
};

const signsIn = async (call: Call, username: string): Promise<boolean> =>
  (await call('POST', '/v1/auth/tokens', { body: { username, password: PASSWORD } })).status === 201;

/** Registers accounts from many clients, and kills the service after `count` responses. */
const registerAndKill = async (service: ServiceProcess, count: number, registrations: Registration[]): Promise<void> => {
  const call = caller(service.url);
  let responses = 0;
  const enough = Promise.withResolvers<void>();
  const client = async (): Promise<void> => {
    for (;;) {
      const registration: Registration = { username: `user-${registrations.length}`, id: null };
      registrations.push(registration);
      const response = await register(call, registration.username, registration.username).catch(() => null);
      if (!response) return;
      expect(response.status).toBe(201);
      registration.id = String(response.json['id']);
      if (++responses >= count) enough.resolve();
    }
  };
  const clients = Array.from({ length: CLIENTS }, client);
  await enough.promise;
  await service.kill9();
  await Promise.all(clients);
};

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

/** Proves contract 30.2. */
describe('the accounts of a service that is killed while it registers them', () => {
  it('keep their names if their registration was acknowledged, and lose no name if it was not', async () => {
    const environment = { dataDir: newFolder(), env: { RATE_LIMIT: 'off', LOG_LEVEL: 'warn' } };
    const random = createRandom(SEED);
    const registrations: Registration[] = [];
    for (let round = 0; round < ROUNDS; round++)
      await registerAndKill(await startServiceProcess(environment), 5 + Math.floor(random() * 40), registrations);

    const service = await startServiceProcess(environment);
    const call = caller(service.url);
    const interrupted = registrations.filter(({ id }) => id === null);
    for (const { username, id } of registrations.filter((each) => each.id !== null)) {
      const again = await register(call, username, username);
      expect([username, again.status, again.json['id'], await signsIn(call, username)]).toEqual([username, 201, id, true]);
      expect((await register(call, username)).status).toBe(409);
    }
    // Half of the interrupted registrations are repeated. For the others, a new account can get the username, unless
    // the account was registered before the kill.
    for (const [nth, { username }] of interrupted.entries()) {
      if (nth % 2 === 0) expect((await register(call, username, username)).status).toBe(201);
      else await eventually(`the name ${username}`, async () => (await register(call, username)).status === 201 || signsIn(call, username));
      expect([username, await signsIn(call, username)]).toEqual([username, true]);
    }
    await service.stop();
    const registered = snapshotOf(environment.dataDir).events.filter(({ type }) => type === 'UserRegistered');
    const digests = registered.map(({ data }) => (JSON.parse(data) as { usernameDigest: string }).usernameDigest);
    expect([digests.length, new Set(digests).size]).toEqual([registrations.length, registrations.length]);
    expect(interrupted.length).toBeGreaterThan(ROUNDS);
    process.stderr.write(`${registrations.length} registrations, ${interrupted.length} of them interrupted\n`);
  });
});
