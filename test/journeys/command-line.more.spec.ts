import { cpSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:net';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { caller, type Call } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { runPetstore, waitUntilReady, startServiceProcess, tokenFor } from '../servers/process.js';
import { endPrograms, ROOT, runProgram, startProgram, type ProgramResult } from '../servers/program.js';
import { snapshotOf } from '../servers/snapshot.js';

const REJECTED = 2;
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;
const TENANT = '0b9f5f0e-1c1d-4c53-9a3e-0d3c8a1f5a77';

afterEach(async () => {
  await endPrograms();
  removeFolders();
});

/** Expects a rejection with a message on standard error, without a stack and without standard output. */
const expectRejection = ({ code, stdout, stderr }: ProgramResult, ...words: readonly (string | RegExp)[]): void => {
  expect([code, stdout]).toEqual([REJECTED, '']);
  for (const word of words) expect(stderr).toMatch(word);
  expect(stderr).not.toMatch(/\n\s+at /);
};

const portOf = (server: Server): string => {
  const address = server.address();
  return typeof address === 'object' && address ? String(address.port) : '';
};

const claimsOf = (token: string): unknown => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());

/** Returns the sorted data of the created pets. Omits the numbers, because concurrent requests get them in any order. */
const listedDetails = (dataDir: string): readonly string[] =>
  snapshotOf(dataDir)
    .events.filter(({ type }) => type === 'PetListed')
    .map(({ data }) => JSON.stringify({ ...(JSON.parse(String(data)) as object), number: null }))
    .toSorted();

/** The digests of the images in the log. A drawing has the same digest in every store. */
const imageDigests = (dataDir: string): readonly string[] =>
  snapshotOf(dataDir)
    .events.filter(({ type }) => type === 'PetPhotoAdded')
    .map(({ data }) => (JSON.parse(String(data)) as { readonly digest: string }).digest)
    .toSorted();

const totalPets = async (call: Call, headers = {}): Promise<unknown> =>
  ((await call('GET', '/v1/pets?status=ALL&limit=1', { headers })).json['pagination'] as { totalItems: number }).totalItems;

/** Proves contract 5.3. */
describe('petstore token', () => {
  it('prints only the token, so that a shell can capture it', async () => {
    const dataDir = newFolder();
    await runPetstore(['seed', '--pets', '1'], { dataDir });
    const args = ['run', '--silent', 'petstore', '--', 'token', '--scope', 'write:pets read:pets', '--subject', 'ann', '--tenant', TENANT];
    const { code, stdout } = await runProgram('npm', args, { env: { DATA_DIR: dataDir } });
    expect(code).toBe(0);
    expect(stdout.endsWith('\n')).toBe(true);
    expect(stdout.trim()).toMatch(JWT);
    expect(claimsOf(stdout.trim())).toMatchObject({ sub: 'ann', scope: 'write:pets read:pets', tenant: TENANT });
  });

  it('prints a token that a running service accepts only for the operations of its scopes', async () => {
    const dataDir = newFolder();
    const service = await startServiceProcess({ dataDir });
    const pet = { body: { name: 'Any', species: 'DOG', ageMonths: 1 } };
    const [writer, reader] = await Promise.all([tokenFor(dataDir, 'write:pets'), tokenFor(dataDir, 'read:pets')]);
    expect((await caller(service.url, writer)('POST', '/v1/pets', pet)).status).toBe(201);
    expect((await caller(service.url, reader)('POST', '/v1/pets', pet)).status).toBe(403);
    expect((await caller(service.url)('POST', '/v1/pets', pet)).status).toBe(401);
  });

  it('requires an existing store and does not create one', async () => {
    const dataDir = newFolder();
    expectRejection(
      await runPetstore(['token', '--scope', 'ops'], { dataDir }),
      /there is no store in .*npm run petstore -- start" creates one/,
    );
    expect(readdirSync(dataDir)).toEqual([]);
  });

  it('rejects an unknown scope, an invalid tenant and a store in memory', async () => {
    const dataDir = newFolder();
    const [scope, nothing, tenant, memory, missing] = await Promise.all([
      runPetstore(['token', '--scope', 'write:pets fly:pets'], { dataDir }),
      runPetstore(['token', '--scope', ' '], { dataDir }),
      runPetstore(['token', '--scope', 'ops', '--tenant', 'me'], { dataDir }),
      runPetstore(['token', '--scope', 'ops'], { dataDir: ':memory:' }),
      runPetstore(['token'], { dataDir }),
    ]);
    expectRejection(scope, /^--scope: unknown scope fly:pets; known scopes: .*write:pets/);
    expectRejection(nothing, /^--scope is empty; known scopes: /);
    expectRejection(tenant, /UUID/);
    expectRejection(memory, /memory/);
    expect(missing.code).not.toBe(0);
    expect(missing.stderr).toMatch(/--scope/);
  });
});

describe('petstore projections rebuild', () => {
  it('requires an existing store and does not create one', async () => {
    const dataDir = newFolder();
    const rebuild = ['projections', 'rebuild'];
    expectRejection(await runPetstore(rebuild, { dataDir }), /there is no store in .*npm run petstore -- start" creates one/);
    expect(readdirSync(dataDir)).toEqual([]);
    expectRejection(await runPetstore(rebuild, { dataDir: ':memory:' }), /^DATA_DIR is :memory:/);
  });
});

describe('petstore seed', () => {
  it('rejects a store in memory, because the pets would be lost', async () => {
    expectRejection(await runPetstore(['seed', '--pets', '1'], { dataDir: ':memory:' }), /^DATA_DIR is :memory:.*--url/);
  });

  it('creates the same pets and pictures in a folder and in a running service for the same seed', async () => {
    const [folder, served] = [newFolder(), newFolder()];
    const seed = ['seed', '--pets', '300', '--seed', '42'];
    const onFolder = await runPetstore(seed, { dataDir: folder });
    expect([onFolder.code, onFolder.stdout]).toEqual([0, '']);
    expect(onFolder.stderr).toMatch(/100 %/);
    expect(onFolder.stderr).toMatch(/300 pets in .* a second/);
    expect(onFolder.stderr).toMatch(/24 pictures in .* a second/);

    const service = await startServiceProcess({ dataDir: served });
    expect((await runPetstore([...seed, '--url', service.url], { dataDir: served })).code).toBe(0);
    expect(listedDetails(served)).toEqual(listedDetails(folder));
    expect(imageDigests(served)).toEqual(imageDigests(folder));
    expect(imageDigests(served)).toHaveLength(24);
    // Without --url, the command uses the service that runs on the folder.
    const found = await runPetstore(['seed', '--pets', '20', '--pictures', '0', '--tenant', TENANT], { dataDir: served });
    expect(found.code).toBe(0);
    const call = caller(service.url, await tokenFor(served));
    expect(await totalPets(call)).toBe(300);
    expect(await totalPets(call, { 'x-tenant-id': TENANT })).toBe(20);
  });

  it('accepts a tenant in upper case and rejects a tenant that is not a UUID', async () => {
    const dataDir = newFolder();
    expect((await runPetstore(['seed', '--pets', '3', '--tenant', TENANT.toUpperCase()], { dataDir })).code).toBe(0);
    expectRejection(await runPetstore(['seed', '--pets', '3', '--tenant', 'me'], { dataDir }), /UUID/);
    const service = await startServiceProcess({ dataDir });
    expect(await totalPets(caller(service.url, await tokenFor(dataDir)), { 'x-tenant-id': TENANT })).toBe(3);
  });

  it('creates different pets for a different seed', async () => {
    const [one, other] = [newFolder(), newFolder()];
    await Promise.all([
      runPetstore(['seed', '--pets', '50', '--seed', '1'], { dataDir: one }),
      runPetstore(['seed', '--pets', '50', '--seed', '2'], { dataDir: other }),
    ]);
    expect(listedDetails(one)).toHaveLength(50);
    expect(listedDetails(one)).not.toEqual(listedDetails(other));
  });

  it('reads its token from PETSTORE_TOKEN, so that a list of processes does not show the token', async () => {
    const served = newFolder();
    const service = await startServiceProcess({ dataDir: served });
    const seed = ['seed', '--pets', '3', '--url', service.url];
    // The new folder has no key that could create a valid token, so the token is from PETSTORE_TOKEN.
    const given = (token: string) => runPetstore(seed, { dataDir: newFolder(), env: { PETSTORE_TOKEN: token } });
    expectRejection(await given('none of its tokens'), /^POST \/v1\/pets was rejected with 401: .*\n.*PETSTORE_TOKEN/);
    expectRejection(await given('two\nlines'), /^--token \(or PETSTORE_TOKEN\) is not a token: .*\n$/);
    expect((await given(await tokenFor(served))).code).toBe(0);
    expect(await totalPets(caller(service.url, await tokenFor(served)))).toBe(3);
  });

  it('rejects an invalid count and a --url without a scheme, and reports when no service responds', async () => {
    const dataDir = newFolder();
    const [none, many, noScheme, noService] = await Promise.all([
      runPetstore(['seed', '--pets', '0'], { dataDir }),
      runPetstore(['seed', '--pets', 'many'], { dataDir }),
      runPetstore(['seed', '--pets', '1', '--url', 'foo', '--token', 'x'], { dataDir }),
      runPetstore(['seed', '--pets', '1', '--url', 'http://127.0.0.1:9', '--token', 'x'], { dataDir }),
    ]);
    expect([none.code === 0, many.code === 0]).toEqual([false, false]);
    expectRejection(noScheme, /^--url foo has no scheme; try http:\/\/foo\n$/);
    expectRejection(noService, /^no service answers at http:\/\/127\.0\.0\.1:9 \(.+\): start the service, or pass .* --url\n$/);
  });

  it('reports a missing scheme of --url in one line', async () => {
    const { port } = new URL((await startServiceProcess({ dataDir: newFolder() })).url);
    const rejected = await runPetstore(['seed', '--url', `localhost:${port}`, '--token', 'x'], { dataDir: newFolder() });
    expectRejection(rejected, new RegExp(`^--url localhost:${port} has no scheme; try http://localhost:${port}\n$`));
  });

  it('reports in one line that the server at --url is not a petstore', async () => {
    const server = createHttpServer((_, response) => void response.end('{}')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const url = `http://127.0.0.1:${portOf(server)}`;
    try {
      const commands = [
        ['seed', '--pets', '1'],
        ['listen', '--forward-to', 'http://127.0.0.1:4000'],
        ['trigger', 'pet.adopted'],
      ];
      for (const command of commands) {
        const rejected = await runPetstore([...command, '--url', url, '--token', 'x'], { dataDir: newFolder() });
        expectRejection(rejected, new RegExp(`^no service answers at ${url} \\(the server there is not a petstore, .*\\n$`));
      }
    } finally {
      server.close();
    }
  });
});

describe('petstore', () => {
  it('prints its usage and the usage of each command', async () => {
    const commands = [[], ['start'], ['token'], ['seed'], ['backup'], ['restore'], ['projections'], ['projections', 'rebuild']];
    const helps = await Promise.all(commands.map((command) => runPetstore([...command, '--help'], { dataDir: ':memory:' })));
    for (const [index, command] of commands.entries()) {
      expect(helps[index]?.code).toBe(0);
      expect(helps[index]?.stdout).toContain(`Usage: npm run petstore --${command.map((word) => ` ${word}`).join('')}`);
    }
  });

  it.each([
    ['fly', [], 'npm run petstore --'],
    ['--fly', ['listen', '--forward-to', 'http://127.0.0.1:4000/hook'], 'npm run petstore -- listen'],
    ['--fly', ['projections', 'rebuild'], 'npm run petstore -- projections rebuild'],
  ])('rejects %s after %j and prints how to show the help', async (word, before, command) => {
    const { code, stderr } = await runPetstore([...before, word], { dataDir: newFolder() });
    expect(code).toBe(2);
    expect(stderr).toMatch(new RegExp(`${word}'\nRun "${command} --help" for usage\\.\n$`));
  });

  it.each(['--version', '-V'])('prints the version of package.json for %s', async (option) => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    expect(await runPetstore([option], { dataDir: newFolder() })).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: '' });
  });

  it('lists every scope with its meaning in token --help', async () => {
    const { stdout } = await runPetstore(['token', '--help'], { dataDir: newFolder() });
    const listed = [...(stdout.split('\nScopes:\n')[1] ?? '').matchAll(/^ {2}(\S+) +\S.*$/gm)].map(([, scope]) => scope);
    const { stderr } = await runPetstore(['token', '--scope', 'unknown'], { dataDir: newFolder() });
    expect(listed).toEqual(expect.arrayContaining(['read:pets', 'write:pets', 'write:orders', 'write:webhooks', 'ops']));
    expect(stderr).toBe(`--scope: unknown scope unknown; known scopes: ${listed.join(' ')}\n`);
  });
});

describe('the banner', () => {
  it('shows the listening address and, in the repository, commands with npm', async () => {
    const service = await startServiceProcess({ dataDir: newFolder() });
    expect(service.stdout()).toMatch(new RegExp(`open at ${service.url}\n[^]*Interface +${service.url}/docs\n`));
    expect(service.stdout()).toContain('npm run --silent petstore -- token --scope');
    expect(service.stdout()).toContain('npm run petstore -- seed --pets 1000');
  });

  it('shows PUBLIC_URL and the listening address', async () => {
    const service = await startServiceProcess({ dataDir: newFolder(), env: { PUBLIC_URL: 'https://pets.example.com/shop' } });
    expect(service.stdout()).toMatch(
      new RegExp(`open at https://pets.example.com/shop, listening on ${service.url}\n[^]*Interface +https://pets.example.com/shop/docs\n`),
    );
  });

  it('shows commands without npm in the container image, which has no npm scripts', async () => {
    const [image, dataDir] = [newFolder(), newFolder()];
    for (const name of ['dist/apps', 'dist/libs', 'package.json']) cpSync(join(ROOT, name), join(image, name), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules'), join(image, 'node_modules'));
    const node = join(ROOT, 'node_modules', '.bin', 'node');
    const service = await waitUntilReady(
      startProgram(node, ['dist/apps/petstore/main.js', 'start'], { cwd: image, env: { DATA_DIR: dataDir, PORT: '0' } }),
    );
    const [token = '', seed = '', ...others] = [...service.stdout().matchAll(/ {2}(DATA_DIR=\S+ PORT=\d+ node dist\S+ .*)$/gm)].map(
      ([, command]) => command,
    );
    expect(others).toEqual([]);
    const env = { PATH: `${dirname(node)}:${process.env['PATH']}` };
    const run = (command: string) => runProgram('bash', ['-c', command], { cwd: image, env });
    const [made, seeded] = [await run(token), await run(seed.replace('1000', '3'))];
    expect([made.code, seeded.code]).toEqual([0, 0]);
    expect(made.stdout.trim()).toMatch(JWT);
    const help = await runProgram(node, ['dist/apps/petstore/main.js', 'token', '--help'], { cwd: image });
    expect(help.stdout).toContain('Usage: node dist/apps/petstore/main.js token [options]');
    expect(help.stdout).not.toContain('npm');
  });
});

/** Proves contract 27.4 and contract 27.5. */
describe('petstore start', () => {
  it('rejects invalid settings and lists all of them', async () => {
    const env = { PORT: 'http', RATE_LIMIT: 'lots', ORDER_HOLD: '1 day', LOG_LEVEL: 'loud', ACCESS_POLICY: 'open' };
    const rejected = await runPetstore(['start'], { dataDir: newFolder(), env });
    expectRejection(rejected, ...Object.keys(env).map((name) => new RegExp(name)));
  });

  it('requires ACCESS_POLICY before it listens for other machines', async () => {
    expectRejection(await runPetstore(['start'], { dataDir: newFolder(), env: { HOST: '0.0.0.0' } }), /ACCESS_POLICY/);
    expectRejection(await runPetstore(['start'], { dataDir: newFolder(), env: { NODE_ENV: 'production' } }), /ACCESS_POLICY/, /PUBLIC_URL/);
  });

  it('reports that its port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const port = portOf(server);
    try {
      const rejected = await runPetstore(['start'], { dataDir: newFolder(), env: { PORT: port } });
      expectRejection(rejected, new RegExp(`^port ${port} on 127\\.0\\.0\\.1 is in use: .*\\n$`));
    } finally {
      server.close();
    }
  });

  it('reports a folder that it cannot use', async () => {
    expectRejection(await runPetstore(['start'], { dataDir: '/dev/null/store' }), /\/dev\/null\/store/);
  });
});
