import type { RegisteredWebhook, Webhook } from '../../apps/api/webhooks/webhook.dto.js';
import { caller, type Call } from '../servers/calling.js';
import { newFolder } from '../servers/data-folder.js';
import { eventually } from '../eventually.js';
import { beginCommand, petstore, spawnStore, tokenFor, type StoreProcess } from '../servers/process.js';
import type { Ended, Exit, Program } from '../servers/program.js';
import { openReceiver, type Receiver } from '../servers/receiver.js';

/** How the commands end that are refused what they ask for. */
export const REFUSED = 2;
/** Longer than any command here takes on a machine that has other guests. */
export const SLOW = 120_000;

/** A person who builds against a store: it runs on a folder, somebody receives, and commands are typed beside it. */
export type Workshop = {
  readonly dataDir: string;
  readonly store: StoreProcess;
  readonly receiver: Receiver;
  /** Where the receiver takes events. */
  readonly hook: string;
  /** Calls the store as staff. */
  readonly call: Call;
  /** A pet is listed, which is an event: pet.statusChanged. */
  listPet(headers?: Readonly<Record<string, string>>): Promise<void>;
  endpoints(): Promise<readonly Webhook[]>;
  register(terms?: object): Promise<RegisteredWebhook>;
  run(...args: readonly string[]): Promise<Ended>;
  begin(...args: readonly string[]): Program;
};

/** Opens one; `removeFolders` and `endPrograms` clear it away. */
export const openWorkshop = async (env: Readonly<Record<string, string>> = {}): Promise<Workshop> => {
  const dataDir = newFolder();
  const [store, receiver] = await Promise.all([spawnStore({ dataDir, env: { LOG_LEVEL: 'warn', ...env } }), openReceiver()]);
  const call = caller(store.url, await tokenFor(dataDir));
  const hook = `${receiver.url}/hook`;
  return {
    dataDir,
    store,
    receiver,
    hook,
    call,
    async listPet(headers = {}) {
      await call('POST', '/v1/pets', { headers, body: { name: 'Told', species: 'CAT', ageMonths: 4, price: '10.00', currency: 'USD' } });
    },
    endpoints: async () => (await call('GET', '/v1/webhooks')).json['data'] as readonly Webhook[],
    async register(terms = {}) {
      const { json } = await call('POST', '/v1/webhooks', { body: { url: hook, events: ['pet.statusChanged'], ...terms } });
      return json as unknown as RegisteredWebhook;
    },
    run: (...args) => petstore(args, { dataDir, env }),
    begin: (...args) => beginCommand(args, { dataDir, env }),
  };
};

/** Waits until a program has said something. */
export const saying = (program: Program, what: RegExp): Promise<RegExpExecArray> =>
  eventually(`${what} in ${program.stdout()}${program.stderr()}`, () => what.exec(program.stdout() + program.stderr()), SLOW / 2);

/** The secret that `listen` and `replay` show once. */
export const secretSaid = async (program: Program): Promise<string> => (await saying(program, /whsec_[A-Za-z0-9+/]+=*/))[0];

/** Asks a command to stop, as Ctrl-C does, and waits until it has. */
export const interrupted = (program: Program): Promise<Exit> => {
  program.signal('SIGINT');
  return program.ended;
};
