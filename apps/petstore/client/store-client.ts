import { clock } from '../composition/clock.js';
import { DEFAULT_URL, type Settings } from '../../../libs/settings/settings.js';
import { abortAfter } from './abort-after.js';
import { CommandError } from '../errors/command-error.js';
import { findRunningStore } from '../running/find-running-store.js';
import { readFolderOwner } from '../composition/embedded/folder.js';
import { makeToken } from '../commands/token.command.js';

/** Which store a command talks to, and as whom; what is left out is found by DATA_DIR. */
export type StoreOptions = { readonly url?: string; readonly token?: string; readonly tenant?: string };

/** Whom a command makes tokens for, when it is given none. */
type Caller = { readonly subject: string; readonly scope: string };

export type Answer<T> = { readonly status: number; readonly json: T };

/** A running store, as any client of its interface meets it. */
export type StoreClient = {
  readonly url: string;
  /** Rejects with a StoreRefusal where the store refuses, with a StoreSilence where none answers. */
  request<T = unknown>(method: string, path: string, body?: unknown): Promise<Answer<T>>;
};

type ProblemBody = {
  readonly detail?: string;
  readonly errors?: readonly { readonly field: string; readonly message: string; readonly code: string }[];
};

/** No store answers at the address. */
class StoreUnreachable extends CommandError {}

/** The store has answered that it does not do what it was asked for. */
export class ErrorAnswer extends CommandError {
  constructor(
    readonly operation: string,
    readonly status: number,
    readonly problem: ProblemBody,
  ) {
    const { detail = 'it did not say why', errors = [] } = problem;
    const fields = errors.length > 1 ? errors.map(({ field, message }) => `\n  ${field}: ${message}`).join('') : '';
    const remedy = status === 401 || status === 403 ? '\nGive a token of that store that may do it: --token, or PETSTORE_TOKEN.' : '';
    super(`${operation} was refused with ${status}: ${detail}${fields}${remedy}`);
  }
}

/** Whether the same may go well a little later: the store is on its way up, or has too much to do. */
export const isRetryable = (error: unknown): boolean =>
  error instanceof StoreUnreachable || (error instanceof ErrorAnswer && (error.status === 429 || error.status >= 500));

/** Finds the store that runs on DATA_DIR, or takes the one at `--url`. */
export const connectToStore = async (settings: Settings, options: StoreOptions, caller: Caller): Promise<StoreClient> => {
  if (options.url !== undefined && !URL.canParse(options.url))
    throw new CommandError(`--url: ${options.url} is no address. Write one as ${DEFAULT_URL}`);
  const url = options.url ?? (await findRunningStore(settings));
  if (url === null)
    throw new CommandError(
      `no store is running on ${settings.dataDir}: start one with "npm start", or say where one runs, as --url ${DEFAULT_URL}`,
    );
  if (options.token === undefined && !(await isStoreOfFolder(settings, url)))
    throw new CommandError(
      `a token of the store at ${url} is needed: --token, or PETSTORE_TOKEN. One made by the keys in ${settings.dataDir} is shown to no other store than the one that runs there`,
    );
  const token = tokenSource(settings, options, caller);
  /** What is read after a write must show it, also where another process answers. */
  let consistencyToken: string | null = null;
  return {
    url,
    async request<T>(method: string, path: string, body?: unknown) {
      const headers = {
        authorization: `Bearer ${await token()}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(options.tenant !== undefined && { 'x-tenant-id': options.tenant }),
        ...(consistencyToken !== null && { 'consistency-token': consistencyToken }),
      };
      const answer = await send(url, path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
      consistencyToken = answer.headers.get('consistency-token') ?? consistencyToken;
      const json = await readJson(url, answer);
      if (!answer.ok) throw new ErrorAnswer(`${method} ${path}`, answer.status, json ?? {});
      return { status: answer.status, json: json as T };
    },
  };
};

/** Whether the address is that of the store whose keys are at hand; on several machines only the caller knows. */
const isStoreOfFolder = async ({ dataDir, servers }: Settings, url: string): Promise<boolean> => {
  if (servers) return true;
  const own = (await readFolderOwner(dataDir))?.url;
  return own !== undefined && new URL(own).origin === new URL(url).origin;
};

const TOKEN_SECONDS = 3600;
/** Made anew before it runs out, so that a command may run for days. */
const RENEW_AFTER = (TOKEN_SECONDS / 2) * 1000;

const tokenSource = (settings: Settings, { token: given }: StoreOptions, caller: Caller): (() => Promise<string>) => {
  if (given !== undefined) return async () => given;
  let made: { readonly token: string; readonly at: number } | undefined;
  return async () => {
    if (!made || clock.now().getTime() - made.at > RENEW_AFTER) {
      made = { token: await makeToken(settings, { ...caller, expiresIn: TOKEN_SECONDS }), at: clock.now().getTime() };
    }
    return made.token;
  };
};

/** A store that has not answered by then is as good as none. */
const ANSWER_TIMEOUT = 15_000;

const send = async (url: string, path: string, request: RequestInit): Promise<Response> => {
  try {
    return await fetch(`${url.replace(/\/+$/, '')}${path}`, { ...request, signal: abortAfter(clock, ANSWER_TIMEOUT) });
  } catch (error) {
    throw unreachable(url, error);
  }
};

const readJson = async (url: string, answer: Response): Promise<unknown> => {
  try {
    const text = await answer.text();
    return text === '' ? {} : JSON.parse(text);
  } catch (error) {
    throw unreachable(url, error);
  }
};

const unreachable = (url: string, cause: unknown): StoreUnreachable =>
  new StoreUnreachable(`no store answers at ${url}: is it running, and is that its address?`, { cause });
