import { isProgramSubject, LOCAL_ISSUER } from '../../../libs/ports/access-token.port.js';
import type { Settings } from '../../../libs/settings/settings.js';
import { CommandError } from '../errors/command-error.js';
import { openKeys } from '../composition/open-keys.js';
import { readFolderOwner } from '../composition/embedded/folder.js';
import { clock } from '../composition/clock.js';
import { openTokens } from '../composition/tokens.js';
import { TOKEN_SCOPES } from '../terminal/token-scopes.js';

/**
 * The actor of all callers without a token. No token may have this subject: idempotency keys belong to an actor, so such a token
 * could replay the responses to these callers (contract 9.4).
 */
const ANONYMOUS = 'anonymous';

/** The maximum length of a subject that the service accepts. */
const MAX_SUBJECT_LENGTH = 255;
/** Matches a control character. */
const CONTROL = /\p{Cc}/u;
/** The maximum lifetime of a token: ten years. */
const MAX_SECONDS = 3_650 * 86_400;

/** The options of `petstore token`; `expiresIn` is in seconds. */
export type TokenOptions = { readonly scope: string; readonly subject: string; readonly tenant?: string; readonly expiresIn: number };

/**
 * Creates a token with the keys in DATA_DIR, or with the keys in the database in the distributed profile. The service need
 * not be running. Rejects with CommandError if an option is invalid.
 */
export const makeToken = async (settings: Settings, { scope, subject, tenant, expiresIn }: TokenOptions): Promise<string> => {
  const scopes = scope.split(/[\s,]+/).filter(Boolean);
  const unknown = scopes.filter((name) => !Object.hasOwn(TOKEN_SCOPES, name));
  const knownScopes = `known scopes: ${Object.keys(TOKEN_SCOPES).join(' ')}`;
  if (scopes.length === 0) throw new CommandError(`--scope is empty; ${knownScopes}`);
  if (unknown.length > 0) throw new CommandError(`--scope: unknown scope ${unknown.join(', ')}; ${knownScopes}`);
  if (subject.trim() === '')
    throw new CommandError('--subject is empty: pass the user or service that the token identifies, for example --subject ann');
  if (subject.length > MAX_SUBJECT_LENGTH || CONTROL.test(subject))
    throw new CommandError(`--subject must be one line of at most ${MAX_SUBJECT_LENGTH} characters`);
  if (expiresIn > MAX_SECONDS) throw new CommandError(`--expires-in ${expiresIn} is too long: at most ${MAX_SECONDS} seconds (ten years)`);
  if (subject.trim().toLowerCase() === ANONYMOUS)
    throw new CommandError(`--subject ${subject} is reserved for callers without a token: pass another subject`);
  if (isProgramSubject(subject.trim().toLowerCase()))
    throw new CommandError(`--subject ${subject} is reserved: a program gets its tokens from the authorization server`);
  const opened = await openKeys(settings);
  const issuer = await issuerOf(settings);
  const tokens = await openTokens(opened.keys, clock, () => issuer);
  const token = await tokens.sign({ subject, scopes, expiresInSeconds: expiresIn, ...(tenant !== undefined && { tenant }) });
  await opened.close();
  return token;
};

/** Returns the issuer of a service that runs on DATA_DIR, and otherwise that of PUBLIC_URL (contract 5.2). */
const issuerOf = async ({ dataDir, servers, publicUrl = LOCAL_ISSUER }: Settings): Promise<string> =>
  servers ? publicUrl : ((await readFolderOwner(dataDir))?.issuer ?? publicUrl);

/** Prints a token and nothing else, so that a shell can capture it. */
export const tokenCommand = async (settings: Settings, options: TokenOptions): Promise<void> => {
  process.stdout.write(`${await makeToken(settings, options)}\n`);
};
