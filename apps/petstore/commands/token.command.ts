import type { Settings } from '../../../libs/settings/settings.js';
import { CommandError } from '../errors/command-error.js';
import { openFolderKeys, type OpenKeys } from '../composition/embedded/folder.js';
import { openTokens } from '../composition/tokens.js';

const SCOPES = ['read:pets', 'write:pets', 'write:orders', 'write:webhooks', 'audit:read', 'ops', 'chat:write'];

/** What callers without a token are recorded as: a caller with that name could replay their requests. */
const ANONYMOUS = 'anonymous';

/** No store takes a token with a longer one. */
const MAX_SUBJECT_LENGTH = 255;
const CONTROL = /\p{Cc}/u;
/** Beyond some 285,000 years the time is no whole number any more, and no store takes the token. */
const MAX_SECONDS = 3_650 * 86_400;

/** What `petstore token` is asked for; `expiresIn` in seconds. */
export type TokenOptions = { readonly scope: string; readonly subject: string; readonly tenant?: string; readonly expiresIn: number };

/** A token needs the keys and nothing else, so it can always be made: from the folder's, or from those that all processes share. */
export const makeToken = async (settings: Settings, { scope, subject, tenant, expiresIn }: TokenOptions): Promise<string> => {
  const scopes = scope.split(/[\s,]+/).filter(Boolean);
  const unknown = scopes.filter((name) => !SCOPES.includes(name));
  if (unknown.length > 0 || scopes.length === 0)
    throw new CommandError(`--scope: ${unknown.join(', ') || 'nothing'} is no scope. Known: ${SCOPES.join(' ')}`);
  if (subject.trim() === '') throw new CommandError('--subject is empty: name whom the token is for, as --subject ann');
  if (subject.length > MAX_SUBJECT_LENGTH || CONTROL.test(subject))
    throw new CommandError(`--subject is a name on one line, of at most ${MAX_SUBJECT_LENGTH} characters`);
  if (expiresIn > MAX_SECONDS) throw new CommandError(`--expires-in ${expiresIn}: ten years (${MAX_SECONDS}) are the most`);
  if (subject.trim().toLowerCase() === ANONYMOUS)
    throw new CommandError(`--subject ${subject}: callers without a token have that name, choose another`);
  const opened = await openKeys(settings);
  const tokens = await openTokens(opened.keys);
  const token = await tokens.sign({ subject, scopes, expiresInSeconds: expiresIn, ...(tenant !== undefined && { tenant }) });
  await opened.close();
  return token;
};

const openKeys = async ({ dataDir, servers, ...settings }: Settings): Promise<OpenKeys> => {
  // The servers' clients are many, and a folder needs none of them.
  if (servers) return (await import('../composition/distributed/open-servers.js')).openSharedKeys({ ...settings, servers });
  if (dataDir === ':memory:')
    throw new CommandError('DATA_DIR is :memory:, so its keys are known to the running store only. Use a folder.');
  return openFolderKeys(dataDir);
};

/** Prints a token and nothing else, so that a shell can catch it. */
export const tokenCommand = async (settings: Settings, options: TokenOptions): Promise<void> => {
  process.stdout.write(`${await makeToken(settings, options)}\n`);
};
