import type { ROTATED_KINDS } from '../../../../libs/application/keys/key.commands.js';
import type { KeyView } from '../../../../libs/application/keys/service-keys.js';
import type { Settings } from '../../../../libs/settings/settings.js';
import { connectClient, type ServiceClient, type ServiceOptions } from '../../client/service-client.js';
import { requireStore } from '../../composition/embedded/folder.js';
import { listStoredKeys } from '../../composition/open-keys.js';
import { CommandError } from '../../errors/command-error.js';
import { formatTable } from '../../terminal/table.js';
import { findServiceUrl } from '../../running/find-service-url.js';
import { programOn } from '../../terminal/installation.js';
import { readAll } from './read-all.js';
import { runAsOperator } from './run-as-operator.js';

/** The options of all commands for the keys of a store. */
export type KeysOptions = Pick<ServiceOptions, 'url' | 'token'> & { readonly json?: boolean };

/**
 * The options of `petstore keys rotate`. `kind` is what the new key signs: tokens or checkpoints. With `now`, a key for tokens signs
 * at once.
 */
export type RotateOptions = KeysOptions & { readonly kind: (typeof ROTATED_KINDS)[number]; readonly now?: boolean };

/** The subject of the commands' token. */
const SUBJECT = 'keys';

/** Matches the id of a key: the `kid` of a token key, or the name of any other key. */
const KEY_ID = /^[\w-]{1,100}$/;

/** Prints the keys of the service without their secrets (contract 31.3). */
export const listKeysCommand = async (settings: Settings, options: KeysOptions): Promise<void> => {
  const client = await connectIfRunning(settings, options);
  const keys = client ? await readAll<KeyView>(client, '/v1/ops/keys') : await listStoredKeys(settings);
  process.stdout.write(options.json ? `${JSON.stringify(keys)}\n` : formatKeys(keys));
};

/** Creates a key that signs tokens or checkpoints, and prints it (contract 31.2, 35.3). */
export const rotateKeyCommand = async (settings: Settings, options: RotateOptions): Promise<void> => {
  requireStoreOf(settings, options);
  await runAsOperator(settings, options, SUBJECT, async ({ request }) => {
    const query = new URLSearchParams({
      ...(options.kind !== 'token-signing' && { kind: options.kind }),
      ...(options.now && { now: 'true' }),
    });
    const { json: key } = await request<KeyView>('POST', `/v1/ops/keys/rotation${query.size > 0 ? `?${query.toString()}` : ''}`);
    process.stdout.write(options.json ? `${JSON.stringify(key)}\n` : FORMAT_ROTATED[options.kind](key, programOn(settings)));
  });
};

/** Formats the message after a rotation. */
const FORMAT_ROTATED: { readonly [K in RotateOptions['kind']]: (key: KeyView, program: string) => string } = {
  'token-signing': ({ id, status, activatesAt = '' }, program) =>
    status === 'announced'
      ? `The new key ${id} is announced. Tokens are signed with it from ${activatesAt} on, or at once after "${program} keys rotate --now".\n`
      : `Tokens are signed with the key ${id} from now on.\n`,
  'checkpoint-signing': ({ id }, program) =>
    `Checkpoints are signed with the new key ${id} from now on.\n` + `Keep a new copy of the public keys elsewhere: ${program} audit key\n`,
};

/** Removes an announced or former key for tokens (contract 31.5). */
export const removeKeyCommand = async (settings: Settings, id: string, options: KeysOptions): Promise<void> => {
  if (!KEY_ID.test(id)) throw new CommandError(`${id} is not the id of a key; "keys list" shows the ids`);
  requireStoreOf(settings, options);
  await runAsOperator(settings, options, SUBJECT, async ({ request }) => {
    await request('DELETE', `/v1/ops/keys/${id}`);
    process.stdout.write(
      options.json ? `${JSON.stringify({ id })}\n` : `The key ${id} is removed. The tokens that it signed are invalid.\n`,
    );
  });
};

/** In the embedded profile, throws if DATA_DIR contains no store. Without this check, a change of keys would create a store. */
const requireStoreOf = ({ servers, dataDir }: Settings, { url }: KeysOptions): void => {
  if (url === undefined && !servers && dataDir !== ':memory:') requireStore(dataDir);
};

/**
 * Returns a client of the service at `--url`, or of the service that runs on DATA_DIR. Returns null if no service runs, and in
 * the distributed profile without `--url`. In both cases, the command reads the keys directly from the store.
 */
const connectIfRunning = async (settings: Settings, options: KeysOptions): Promise<ServiceClient | null> => {
  if (options.url === undefined && (settings.servers || (await findServiceUrl(settings)) === null)) return null;
  return connectClient(settings, options, { subject: SUBJECT, scope: 'ops' });
};

const formatKeys = (keys: readonly KeyView[]): string => {
  const rows = keys.map(({ id, kind, status, createdAt = 'unknown', activatesAt = '' }) => [
    id,
    kind,
    status === 'announced' ? `announced, signs from ${activatesAt}` : status,
    createdAt,
  ]);
  return formatTable([['ID', 'KIND', 'STATUS', 'CREATED'], ...rows]);
};
