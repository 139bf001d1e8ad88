import { join } from 'node:path';
import { eventually } from '../eventually.js';
import { ROOT, runProgram, startProgram, type Ended, type Exit, type Program, type ProgramOptions } from './program.js';

export type StoreEnvironment = {
  readonly dataDir: string;
  /** Settings besides DATA_DIR; the port is a free one and there is no rate limit unless said here. */
  readonly env?: Readonly<Record<string, string>>;
};

/** Where the output goes that the test does not keep. */
type Outputs = Pick<ProgramOptions, 'stdout' | 'stderr'>;

/** The store in a process of its own, answering requests. */
export type StoreProcess = Program & {
  readonly url: string;
  /** Ends it where it stands, as a power cut would; resolves when it is gone. */
  kill9(): Promise<Exit>;
  /** Asks it to stop and waits until it has. */
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

/** With PUBLIC_URL the output names that address first, and then the one that the program listens on. */
const addressIn = (output: string): string | undefined =>
  /listening on (http:\/\/\S+)\n/.exec(output)?.[1] ?? /open at (http:\/\/\S+)\n/.exec(output)?.[1];

const isReady = async (url: string): Promise<boolean> => (await fetch(`${url}/health/ready`)).ok;

/** Waits until the program that was started says where it listens and answers that it is ready. */
export const readyStore = async (program: Program): Promise<StoreProcess> => {
  let exit: Exit | undefined;
  void program.ended.then((value) => (exit = value));
  const url = await eventually(
    'a ready store',
    async () => {
      const address = addressIn(program.stdout());
      if (exit) return { refused: `the store ended with ${exit.code ?? exit.signal}: ${program.stderr()}` };
      return address !== undefined && (await isReady(address)) ? { address } : null;
    },
    30_000,
  );
  if ('refused' in url) throw new Error(url.refused);
  const end = async (signal: NodeJS.Signals): Promise<Exit> => {
    program.signal(signal);
    return program.ended;
  };
  return { ...program, url: url.address, kill9: () => end('SIGKILL'), stop: () => end('SIGTERM') };
};

/** Starts `petstore start` as built in dist and waits until it is ready. */
export const spawnStore = async (wanted: StoreEnvironment, outputs: Outputs = {}): Promise<StoreProcess> =>
  readyStore(startProgram(NODE, [MAIN, 'start'], { env: settingsOf(wanted), ...outputs }));

/** Begins a `petstore` command and does not wait. */
export const beginCommand = (args: readonly string[], wanted: StoreEnvironment, outputs: Outputs = {}): Program =>
  startProgram(NODE, [MAIN, ...args], { env: settingsOf(wanted), ...outputs });

/** Runs a `petstore` command to its end. */
export const petstore = (args: readonly string[], wanted: StoreEnvironment): Promise<Ended> =>
  runProgram(NODE, [MAIN, ...args], { env: settingsOf(wanted) });

/** Everything that staff may do, and no rate limit. */
export const STAFF_SCOPES = 'read:pets write:pets write:orders write:webhooks ops';

/** A token of the store on that folder. */
export const tokenFor = async (dataDir: string, scope = STAFF_SCOPES): Promise<string> => {
  const { code, stdout, stderr } = await petstore(['token', '--scope', scope], { dataDir });
  if (code !== 0) throw new Error(`no token: ${stderr}`);
  return stdout.trim();
};
