import { join } from 'node:path';
import { eventually } from '../eventually.js';
import { ROOT, runProgram, startProgram, type ProgramResult, type Exit, type Program, type ProgramOptions } from './program.js';

export type StoreEnvironment = {
  readonly dataDir: string;
  /** Further settings. By default the port is a free one and the rate limit is off. */
  readonly env?: Readonly<Record<string, string>>;
};

/** Targets of the output that the test does not collect. */
type Outputs = Pick<ProgramOptions, 'stdout' | 'stderr'>;

/** A ready store in its own process. */
export type StoreProcess = Program & {
  readonly url: string;
  /** Kills it with SIGKILL. Resolves when it has ended. */
  kill9(): Promise<Exit>;
  /** Stops it with SIGTERM. Resolves when it has ended. */
  stop(): Promise<Exit>;
};

const NODE = join(ROOT, 'node_modules', '.bin', 'node');
const MAIN = join(ROOT, 'dist', 'apps', 'petstore', 'main.js');

const settingsOf = ({ dataDir, env }: StoreEnvironment): Readonly<Record<string, string>> => ({
  DATA_DIR: dataDir,
  PORT: '0',
  RATE_LIMIT: 'off',
  ...env,
});

/** Returns the listening address. With PUBLIC_URL, the output also contains the public address. */
const addressIn = (output: string): string | undefined =>
  /listening on (http:\/\/\S+)\n/.exec(output)?.[1] ?? /open at (http:\/\/\S+)\n/.exec(output)?.[1];

const isReady = async (url: string): Promise<boolean> => (await fetch(`${url}/health/ready`)).ok;

/** Waits until a started program has printed its address and is ready. */
export const waitUntilReady = async (program: Program): Promise<StoreProcess> => {
  let exit: Exit | undefined;
  void program.ended.then((value) => (exit = value));
  const url = await eventually(
    'a ready store',
    async () => {
      const address = addressIn(program.stdout());
      if (exit) return { failure: `the store ended with ${exit.code ?? exit.signal}: ${program.stderr()}` };
      return address !== undefined && (await isReady(address)) ? { address } : null;
    },
    30_000,
  );
  if ('failure' in url) throw new Error(url.failure);
  const end = async (signal: NodeJS.Signals): Promise<Exit> => {
    program.signal(signal);
    return program.ended;
  };
  return { ...program, url: url.address, kill9: () => end('SIGKILL'), stop: () => end('SIGTERM') };
};

/** Starts `petstore start` from dist and waits until it is ready. */
export const spawnStore = async (environment: StoreEnvironment, outputs: Outputs = {}): Promise<StoreProcess> =>
  waitUntilReady(startProgram(NODE, [MAIN, 'start'], { env: settingsOf(environment), ...outputs }));

/** Starts a `petstore` command without waiting for its end. */
export const startPetstore = (args: readonly string[], environment: StoreEnvironment, outputs: Outputs = {}): Program =>
  startProgram(NODE, [MAIN, ...args], { env: settingsOf(environment), ...outputs });

/** Runs a `petstore` command and waits for its end. */
export const runPetstore = (args: readonly string[], environment: StoreEnvironment): Promise<ProgramResult> =>
  runProgram(NODE, [MAIN, ...args], { env: settingsOf(environment) });

/** All scopes of staff, and `ops`, which has no rate limit. */
export const STAFF_SCOPES = 'read:pets write:pets write:orders write:webhooks ops';

/** Creates a token with the key of the store in a folder. */
export const tokenFor = async (dataDir: string, scope = STAFF_SCOPES): Promise<string> => {
  const { code, stdout, stderr } = await runPetstore(['token', '--scope', scope], { dataDir });
  if (code !== 0) throw new Error(`no token: ${stderr}`);
  return stdout.trim();
};
