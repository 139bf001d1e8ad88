import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { eventually } from '../eventually.js';
import { createClient, type HttpResponse } from '../servers/client.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { commandsOf, PRINTED_ADDRESS } from '../servers/documents.js';
import { endPrograms, ROOT, startProgram, type Exit, type Program } from '../servers/program.js';
import { openReceiver, type Receiver } from '../servers/receiver.js';
import { freePorts } from '../servers/services/free-ports.js';
import { openShell } from '../servers/shell.js';
import { openCommandFixture, waitForOutput, type CommandFixture } from './command-fixture.js';

const NODE = join(ROOT, 'node_modules', '.bin', 'node');
const RECEIVER = join(ROOT, 'examples', 'receiver', 'receiver.ts');
/** Nothing listens at this address, and no test can get its port by chance. */
const CLOSED_URL = 'http://127.0.0.1:1';
const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const OTHER_SECRET = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;

let fixture: CommandFixture;
const opened: Receiver[] = [];
beforeAll(async () => {
  // `npm test` builds before it runs the tests. This build is for a run of this file alone.
  await startProgram('npm', ['run', '--silent', 'build']).ended;
  fixture = await openCommandFixture();
});
afterAll(async () => {
  await Promise.all([fixture.receiver, ...opened].map((receiver) => receiver.close()));
  await endPrograms();
  removeFolders();
});

/** Proves contract 17.7, contract 18.3, contract 20.2 and contract 20.11. */
describe('the walk in docs/webhooks.md', () => {
  it('delivers a first verified webhook, and each of its commands works', async () => {
    const port = String(await freePorts());
    const commandsIn = (section: string): readonly string[] =>
      commandsOf('docs/webhooks.md', section).map((command) =>
        command.replaceAll(PRINTED_ADDRESS, fixture.service.url).replaceAll('127.0.0.1:4000', `127.0.0.1:${port}`),
      );
    const [register = '', receive = '', test = '', trigger = '', list = '', redeliver = '', replay = '', ...after] = commandsIn('Walk');
    const [rotate = '', callBack = '', remove = '', ...others] = after;
    expect(others).toEqual([]);

    const env = { DATA_DIR: fixture.dataDir };
    const shell = openShell(env);
    const outputOf = async (command: string): Promise<string> => {
      const { code, stdout } = await shell.run(command);
      expect({ command, code }).toEqual({ command, code: 0 });
      return stdout.trim();
    };
    const startInTerminal = (command: string, extra: Readonly<Record<string, string>> = {}): Program =>
      startProgram('bash', ['-c', command], { env: { ...env, ...extra }, detached: true });
    const receiverWith = async (secret: string): Promise<Program> => {
      const receiver = startInTerminal(receive.replace('whsec_…', secret), { PORT: port });
      await waitForOutput(receiver, /listens at/);
      return receiver;
    };
    const interruptGroup = (program: Program): Promise<Exit> => {
      program.signal('SIGINT', 'group');
      return program.ended;
    };

    const receiver = await receiverWith(await outputOf(register));
    expect(await outputOf(test)).toBe('"pending"');
    const [, tested] = await waitForOutput(receiver, /handled webhook\.test (\S+)\n/);
    expect(receiver.stdout()).toContain(`verified ${tested}`);
    expect(await outputOf(trigger)).toMatch(/payment\.succeeded has happened\.$/);
    await waitForOutput(receiver, /handled payment\.succeeded (\S+)\n/);
    await eventually('the list to show an attempt of each of four deliveries', async () => {
      expect((await outputOf(list)).match(/"status": 204/g)).toHaveLength(4);
      return true;
    });
    expect(await outputOf(redeliver)).toBe('"pending"');
    await waitForOutput(receiver, /duplicate \S+\n/);
    expect(await outputOf(replay)).toMatch(/\n3 delivered, 0 parked/);
    expect(receiver.stdout().match(/^duplicate/gm)).toHaveLength(4);
    expect(receiver.stdout().match(/^handled/gm)).toHaveLength(4);
    expect(await outputOf(rotate)).toMatch(/^whsec_/);
    expect(await outputOf(callBack)).toBe('{}');
    await waitForOutput(receiver, /handled callback COMPLETED \S+\n/);
    expect(await outputOf(remove)).toBe('204');
    await interruptGroup(receiver);

    const [listen = '', ...more] = commandsIn('While you develop');
    expect(more).toEqual([]);
    const listener = startInTerminal(listen);
    const [secret] = await waitForOutput(listener, /whsec_[A-Za-z0-9+/]+=*/);
    const second = await receiverWith(secret);
    await outputOf(trigger);
    const [, id] = await waitForOutput(second, /handled payment\.succeeded (\S+)\n/);
    await waitForOutput(listener, new RegExp(`payment\\.succeeded {2}${id} {2}payment \\S+ succeeded {2}204`));
    expect(await interruptGroup(listener)).toMatchObject({ code: 0 });
    await interruptGroup(second);
    await shell.close();
  });
});

/** The running example receiver, with functions that send requests to it and stop it. */
type RunningReceiver = {
  readonly program: Program;
  readonly url: string;
  readonly post: (path: string, body: string, headers: Readonly<Record<string, string>>) => Promise<HttpResponse>;
  readonly stop: () => Promise<Exit>;
};

const startReceiver = async (env: Readonly<Record<string, string>> = {}): Promise<RunningReceiver> => {
  const program = startProgram(NODE, [RECEIVER], { env: { PORT: '0', WEBHOOK_SECRET: SECRET, STORE_URL: fixture.service.url, ...env } });
  const [, url = ''] = await waitForOutput(program, /listens at (\S+)\/hook/);
  const client = createClient(url);
  return {
    program,
    url,
    post: (path, body, headers) => client.send('POST', path, { raw: body, headers }),
    stop() {
      client.close();
      program.signal('SIGTERM');
      return program.ended;
    },
  };
};

const BODY = JSON.stringify({ eventId: randomUUID(), eventType: 'pet.adopted', data: { name: 'Łatek 🐈' } });

const signedHeaders = (id: string, { secret = SECRET, at = new Date(), body = BODY } = {}): Readonly<Record<string, string>> => ({
  'webhook-id': id,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': new Webhook(secret).sign(id, at, body),
});

/** Proves contract 20.2 and contract 20.10. */
describe('the receiver', () => {
  it('handles a valid webhook once', async () => {
    const { program, post, stop } = await startReceiver();
    const id = randomUUID();
    const responses = [
      await post('/hook', BODY, signedHeaders(id)),
      await post('/hook', BODY, signedHeaders(id)),
      await post('/hook', BODY, signedHeaders(randomUUID())),
    ];
    expect(responses.map(({ status }) => status)).toEqual([204, 204, 204]);
    await waitForOutput(program, new RegExp(`verified ${id}(?:.|\n)*duplicate ${id}`));
    expect(program.stdout().match(new RegExp(`handled pet.adopted ${id}`, 'g'))).toHaveLength(1);
    await stop();
  });

  it('rejects forged and old webhooks', async () => {
    const { program, post, stop } = await startReceiver();
    const id = randomUUID();
    const minutes = (count: number): Date => new Date(Date.now() + count * 60_000);
    const forged: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
      [BODY.replace('adopted', 'Adopted'), signedHeaders(id)],
      [BODY, signedHeaders(id, { secret: OTHER_SECRET })],
      [BODY, signedHeaders(id, { at: minutes(-6) })],
      [BODY, signedHeaders(id, { at: minutes(6) })],
      [BODY, { ...signedHeaders(id), 'webhook-id': randomUUID() }],
      [BODY, { ...signedHeaders(id), 'webhook-signature': 'v1,AAAA' }],
      [BODY, {}],
    ];
    for (const [body, headers] of forged) expect((await post('/hook', body, headers)).status).toBe(401);
    expect((await post('/hook', 'x'.repeat(2 ** 21), signedHeaders(id))).status).toBe(413);
    expect((await post('/elsewhere', BODY, signedHeaders(id))).status).toBe(404);
    expect(program.stdout()).not.toMatch(/verified|handled/);
    // The forgeries had the same id. The valid webhook with this id must not count as a duplicate.
    expect((await post('/hook', BODY, signedHeaders(id))).status).toBe(204);
    await waitForOutput(program, new RegExp(`handled pet.adopted ${id}`));
    await stop();
  });

  it('detects a duplicate after a restart, and handles a message that it had stored but not handled', async () => {
    const env = { INBOX: join(newFolder(), 'inbox.sqlite') };
    const [seen, left] = [randomUUID(), randomUUID()];
    const first = await startReceiver(env);
    await first.post('/hook', BODY, signedHeaders(seen));
    // The receiver marks a message as handled before it handles the next one. When the second is handled, the first is marked.
    const next = randomUUID();
    await waitForOutput(first.program, new RegExp(`handled pet.adopted ${seen}`));
    await first.post('/hook', BODY, signedHeaders(next));
    await waitForOutput(first.program, new RegExp(`handled pet.adopted ${next}`));
    first.program.signal('SIGKILL');
    await first.program.ended;
    const inbox = new DatabaseSync(env.INBOX);
    inbox.prepare('INSERT INTO inbox (id, body) VALUES (?, ?)').run(left, BODY);
    inbox.close();
    const second = await startReceiver(env);
    await waitForOutput(second.program, new RegExp(`handled pet.adopted ${left}`));
    expect((await second.post('/hook', BODY, signedHeaders(seen))).status).toBe(204);
    await waitForOutput(second.program, new RegExp(`duplicate ${seen}`));
    expect(second.program.stdout()).not.toContain(`handled pet.adopted ${seen}`);
    await second.stop();
  });

  it('handles callbacks that the service has signed', async () => {
    const { program, url, stop } = await startReceiver();
    const { json } = await fixture.call('POST', '/v1/pets', {
      body: { name: 'Rex', species: 'CAT', ageMonths: 4, price: '10.00', currency: 'USD' },
    });
    const order = (await fixture.call('POST', '/v1/orders', { body: { petId: json['id'] } })).json['id'] as string;
    const callbackUrl = `${url}/callback`;
    const body = { amount: '10.00', currency: 'USD', timestamp: new Date().toISOString(), callbackUrl };
    expect((await fixture.call('POST', `/v1/orders/${order}`, { body })).status).toBe(201);
    await waitForOutput(program, /handled callback COMPLETED \S+/);
    await stop();
  });

  it('rejects callbacks that are old, changed, or not signed with the published key', async () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const published = await openReceiver();
    opened.push(published);
    published.respondWith(() => ({ status: 200, body: JSON.stringify({ jwk: publicKey.export({ format: 'jwk' }) }) }));
    const { program, post, stop } = await startReceiver({ STORE_URL: published.url });
    const callback = (id: string, minutesAgo = 0) => {
      const timestamp = String(Math.floor(Date.now() / 1000) - minutesAgo * 60);
      const signature = sign(null, Buffer.from(`${id}.${timestamp}.${BODY}`), privateKey).toString('base64');
      return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1a,${signature}` };
    };
    const id = randomUUID();
    const forgeries: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
      [BODY, callback(id, 6)],
      [BODY, callback(id, -6)],
      [BODY.replace('adopted', 'Adopted'), callback(id)],
      [BODY, { ...callback(id), 'webhook-signature': `v1a,${Buffer.alloc(64).toString('base64')}` }],
      [BODY, { ...callback(id), 'webhook-signature': '' }],
      [BODY, { ...callback(id), 'webhook-timestamp': 'now' }],
      [BODY, signedHeaders(id)],
      [BODY, {}],
    ];
    for (const [body, headers] of forgeries) expect((await post('/callback', body, headers)).status).toBe(401);
    expect(program.stdout()).not.toMatch(/verified/);
    expect((await post('/callback', BODY, callback(id))).status).toBe(204);
    await stop();
  });

  it.each([
    ['a missing secret', {}, /^WEBHOOK_SECRET is missing: .*\n$/],
    ['the placeholder as the secret', { WEBHOOK_SECRET: 'whsec_…' }, /^WEBHOOK_SECRET is not a secret: .*\n$/],
    ['a truncated secret', { WEBHOOK_SECRET: SECRET.slice(0, -1) }, /^WEBHOOK_SECRET is not a secret: .*\n$/],
  ])('reports %s', async (_, env, message) => {
    const program = startProgram(NODE, [RECEIVER], { env: { PORT: '0', ...env } });
    expect(await program.ended).toEqual({ code: 2, signal: null });
    expect(program.stderr()).toMatch(message);
  });

  it.each([
    ['a port that is not a number', { PORT: 'http' }, /^PORT is "http": expected a number from 0 to 65535\n$/],
    ['a port above 65535', { PORT: '65536' }, /^PORT is "65536": expected a number from 0 to 65535\n$/],
    [
      'a STORE_URL without a scheme',
      { STORE_URL: 'localhost:3000' },
      /^STORE_URL is "localhost:3000": expected an http or https URL, .*\n$/,
    ],
    ['an inbox in a missing folder', { INBOX: '/proc/none/inbox' }, /^INBOX is "\/proc\/none\/inbox", which cannot be used: .*\n$/],
  ])('rejects %s in one line', async (_, env, message) => {
    const program = startProgram(NODE, [RECEIVER], { env: { PORT: '0', WEBHOOK_SECRET: SECRET, ...env } });
    expect(await program.ended).toEqual({ code: 2, signal: null });
    expect(program.stderr()).toMatch(message);
  });

  it('prints STORE_URL at start, and reports in one line that it cannot read the key there', async () => {
    const other = await openReceiver();
    opened.push(other);
    const headers = { ...signedHeaders(randomUUID()), 'webhook-signature': 'v1a,AAAA' };
    for (const url of [CLOSED_URL, other.url]) {
      const { program, post, stop } = await startReceiver({ STORE_URL: `${url}/` });
      await waitForOutput(program, new RegExp(`STORE_URL, ${url}/\n`));
      expect((await post('/callback', BODY, headers)).status).toBe(500);
      await eventually('the error', () => program.stderr() !== '');
      expect(program.stderr()).toMatch(
        new RegExp(`^callbacks cannot be verified: ${url}/v1/webhooks/public-key returns no key; set STORE_URL .*\n$`),
      );
      await stop();
    }
  });

  it('reports that its port is in use', async () => {
    const { port } = new URL(fixture.service.url);
    const program = startProgram(NODE, [RECEIVER], { env: { PORT: port, WEBHOOK_SECRET: SECRET } });
    expect(await program.ended).toEqual({ code: 2, signal: null });
    expect(program.stderr()).toMatch(new RegExp(`^port ${port} is in use: .*\n$`));
  });
});
