import { DEADLINES } from '../../deadlines.js';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, rmSync, symlinkSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../../eventually.js';
import { caller } from '../../servers/calling.js';
import { newFolder, removeFolders } from '../../servers/data-folder.js';
import { endPrograms, runProgram, startProgram, type Exit, type Program } from '../../servers/program.js';
import { findTakenPort, freePorts } from '../../servers/services/free-ports.js';
import { pidIn } from '../../servers/services/real-server.js';
import { openShell } from '../../servers/shell.js';
import { PORT_COUNT } from '../../servers/start-cluster/arguments.js';

afterEach(endPrograms);
afterAll(removeFolders);

const PARTS = ['api-1', 'api-2', 'eventstoredb', 'kafka', 'mongodb', 'worker-1', 'worker-2'];
const RUN = ['run', '--silent', 'start:cluster', '--'];

const begin = (folder: string, port: number, env: Readonly<Record<string, string>> = {}): Program =>
  startProgram('npm', [...RUN, '--folder', folder, '--port', String(port)], { detached: true, env });

const outputOf = (program: Program): string => program.stdout() + program.stderr();

const ready = async (program: Program): Promise<void> => {
  let exit: Exit | undefined;
  void program.ended.then((value) => (exit = value));
  const end = await eventually('a ready cluster', () => exit ?? /Ctrl-C to stop/.exec(program.stdout()), DEADLINES.slow);
  if ('code' in end) throw new Error(`ended with ${end.code}: ${outputOf(program)}`);
};

/** Expects that no part runs and that no port is in use. Leftover processes also fail the suite. */
const expectNothingLeft = async (folder: string, port: number): Promise<void> => {
  expect(PARTS.filter((name) => pidIn(join(folder, name)) !== null)).toEqual([]);
  expect(await findTakenPort(port, PORT_COUNT)).toBeNull();
};

/** Runs the command that the cluster has printed for making a token. Returns the token. */
const tokenFrom = async (program: Program): Promise<string> => {
  const shell = openShell({});
  const { stdout } = await shell.run(/^ +Token +(.*)$/m.exec(program.stdout())?.[1] ?? 'false');
  await shell.close();
  return stdout.trim();
};

const PET = { name: 'Biscuit', species: 'DOG', ageMonths: 14, price: '250.00', currency: 'USD' };

describe('npm run start:cluster', () => {
  const folder = join(newFolder(), 'a cluster');
  let petId: string;

  it('starts two apis on one store, names the stand-in for EventStoreDB, and leaves no process after Ctrl-C', async () => {
    const port = await freePorts(PORT_COUNT);
    const program = begin(folder, port);
    await ready(program);
    expect(program.stdout()).toMatch(/eventstoredb .* a stand-in: not EventStoreDB/);
    const token = await tokenFrom(program);
    const created = await caller(`http://127.0.0.1:${port}`, token)('POST', '/v1/pets', { body: PET });
    expect(created.status).toBe(201);
    petId = String(created.json['id']);
    const other = caller(`http://127.0.0.1:${port + 1}`, token);
    const read = await eventually('the pet on the other api', async () => {
      const response = await other('GET', `/v1/pets/${petId}`);
      return response.status === 200 ? response : null;
    });
    expect(read.json).toMatchObject(PET);
    expect(PARTS.filter((name) => !existsSync(join(folder, name, 'log')))).toEqual([]);
    program.signal('SIGINT', 'group');
    expect(await program.ended).toEqual({ code: 0, signal: null });
    expect(program.stderr()).toMatch(/Stopped\. The data remain in/);
    await expectNothingLeft(folder, port);
  });

  it('reuses the data of its folder on other ports, and stops all parts and names the part that was killed', async () => {
    const port = await freePorts(PORT_COUNT);
    const program = begin(folder, port);
    await ready(program);
    const pet = await caller(`http://127.0.0.1:${port}`, await tokenFrom(program))('GET', `/v1/pets/${petId}`);
    expect(pet.json).toMatchObject(PET);
    const second = await runProgram('npm', [...RUN, '--folder', folder, '--port', String(await freePorts(PORT_COUNT))]);
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining('is in use by process') });
    process.kill(pidIn(join(folder, 'worker-2')) ?? 0, 'SIGKILL');
    expect(await program.ended).toEqual({ code: 1, signal: null });
    expect(program.stderr()).toMatch(/^worker-2 was ended by SIGKILL\. The end of its log .*worker-2\/log:$/m);
    await expectNothingLeft(folder, port);
  });

  // npm forwards SIGTERM, waits for its child and exits with 0. SIGHUP ends npm itself, so npm has no exit code.
  it.each([
    ['SIGTERM', { code: 0, signal: null }],
    ['SIGHUP', { code: null, signal: 'SIGHUP' }],
  ] as const)('stops on %s while it starts', async (signal, exit) => {
    const port = await freePorts(PORT_COUNT);
    const own = join(newFolder(), 'cluster');
    const program = begin(own, port);
    await eventually('the start of a server', () => pidIn(join(own, 'mongodb')), DEADLINES.slow);
    program.signal(signal, 'group');
    expect(await program.ended).toEqual(exit);
    expect(program.stderr()).toContain('Stopped before everything had started.');
    await expectNothingLeft(own, port);
    rmSync(own, { recursive: true });
  });

  it('names the part that does not start, with its log, and stops the others', async () => {
    const port = await freePorts(PORT_COUNT);
    const own = join(newFolder(), 'cluster');
    const program = begin(own, port, { WRITE_WAIT: 'soon' });
    expect(await program.ended).toEqual({ code: 1, signal: null });
    expect(program.stderr()).toMatch(/worker-[12] did not start\. The end of its log [^]*WRITE_WAIT is/);
    await expectNothingLeft(own, port);
  });

  it('prints its usage, and rejects invalid options and ports that are in use', async () => {
    const run = (...args: readonly string[]) => runProgram('npm', [...RUN, ...args]);
    expect(await run('--help')).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: npm run start:cluster/) });
    expect(await run('--folders', 'x')).toMatchObject({ code: 2, stderr: expect.stringContaining("Unknown option '--folders'") });
    expect(await run('--port', '65530')).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^--port needs a number from 1 to 65527/m),
    });
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const taken = await run('--folder', join(newFolder(), 'cluster'), '--port', String(port));
    expect(taken).toMatchObject({ code: 1, stderr: expect.stringContaining(`port ${port} is in use`) });
    await new Promise((resolve) => server.close(resolve));
  });

  it('names Java if the Java that Kafka needs is missing', async () => {
    const program = await runProgram(
      'npm',
      [...RUN, '--folder', join(newFolder(), 'cluster'), '--port', String(await freePorts(PORT_COUNT))],
      {
        env: { PATH: pathWithout('java') },
      },
    );
    expect(program).toMatchObject({ code: 1, stderr: expect.stringContaining('Kafka needs Java 17 or newer') });
  });
});

/** Returns a folder with links to all programs that the start needs, except `missing`. */
const pathWithout = (missing: string): string => {
  const bin = newFolder();
  const needed = ['bash', 'dirname', 'sha256sum', 'cut', 'mkdir', 'flock', 'node', 'npm', 'sh', 'env', 'java'].filter(
    (name) => name !== missing,
  );
  for (const name of needed) symlinkSync(execFileSync('bash', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim(), join(bin, name));
  return bin;
};
