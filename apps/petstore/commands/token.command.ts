import type { Settings } from '../../../libs/settings/settings.js';
import { CommandError } from '../errors/command-error.js';
import { openFolderKeys, type OpenKeys } from '../composition/embedded/folder.js';
import { openTokens } from '../composition/tokens.js';
import { TOKEN_SCOPES } from '../terminal/token-scopes.js';

/** The actor of callers without a token. No token may have this subject, because it could replay their requests. */
const ANONYMOUS = 'anonymous';

/** The maximum length of a subject that the service accepts. */
const MAX_SUBJECT_LENGTH = 255;
const CONTROL = /\p{Cc}/u;
/** The maximum lifetime of a token: ten years. */
const MAX_SECONDS = 3_650 * 86_400;

/** The options of `petstore token`; `expiresIn` is in seconds. */
export type TokenOptions = { readonly scope: string; readonly subject: string; readonly tenant?: string; readonly expiresIn: number };

/**
 * Creates a token with the keys in DATA_DIR, or in the distributed profile with those in the database. The
 * service need not run.
 */
export const makeToken = async (settings: Settings, { scope, subject, tenant, expiresIn }: TokenOptions): Promise<string> => {
  const scopes = scope.split(/[\s,]+/).filter(Boolean);
  const unknown = scopes.filter((name) => !Object.hasOwn(TOKEN_SCOPES, name));
  const known = `known scopes: ${Object.keys(TOKEN_SCOPES).join(' ')}`;
  if (scopes.length === 0) throw new CommandError(`--scope is empty; ${known}`);
  if (unknown.length > 0) throw new CommandError(`--scope: unknown scope ${unknown.join(', ')}; ${known}`);
  if (subject.trim() === '')
    throw new CommandError('--subject is empty: pass the user or service that the token identifies, for example --subject ann');
  if (subject.length > MAX_SUBJECT_LENGTH || CONTROL.test(subject))
    throw new CommandError(`--subject must be one line of at most ${MAX_SUBJECT_LENGTH} characters`);
  if (expiresIn > MAX_SECONDS) throw new CommandError(`--expires-in ${expiresIn} is too long: at most ${MAX_SECONDS} seconds (ten years)`);
  if (subject.trim().toLowerCase() === ANONYMOUS)
    throw new CommandError(`--subject ${subject} is reserved for callers without a token: pass another subject`);
  const opened = await openKeys(settings);
  const tokens = await openTokens(opened.keys);
  const token = await tokens.sign({ subject, scopes, expiresInSeconds: expiresIn, ...(tenant !== undefined && { tenant }) });
  await opened.close();
  return token;
};

const openKeys = async ({ dataDir, servers, ...settings }: Settings): Promise<OpenKeys> => {
  // Imported only when needed, because the clients of the servers take long to load.
  if (servers) return (await import('../composition/distributed/open-servers.js')).openSharedKeys({ ...settings, servers });
  if (dataDir === ':memory:')
    throw new CommandError('DATA_DIR is :memory:, so only the running service has its keys: set DATA_DIR to a folder');
  return openFolderKeys(dataDir);
};

/** Prints a token and nothing else, so that a shell can capture it. */
export const tokenCommand = async (settings: Settings, options: TokenOptions): Promise<void> => {
  process.stdout.write(`${await makeToken(settings, options)}\n`);
};
