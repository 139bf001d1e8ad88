import { createHmac } from 'node:crypto';
import { rejected, type Rejection } from '../../eventsourcing/decider.js';
import type { KeyVault } from '../../eventsourcing/ports/key-vault.port.js';
import { RequestCommand, type RequestContext, type ResultOf } from '../request.js';
import { clientView, digestSecret, isSecretValid, OAuthClients, type StoredClient } from './clients.js';
import type { Ports } from '../command-ports.js';

/** Returns the secrets of a client by their numbers. The first one has the number 0, and each rotation takes the next number. */
export const secretsOf = async (keys: KeyVault, id: string): Promise<(number: number) => string> => {
  const key = await keys.serviceKey('oauth-clients');
  return (number) =>
    createHmac('sha256', key)
      .update(number === 0 ? id : `${id}\n${number}`)
      .digest('base64url');
};

/** The time in milliseconds for which the former secret stays valid after a rotation. */
const FORMER_SECRET_VALID = 86_400_000;
/** The number of rotations that a client remembers, so that a repeated request finds its own. */
const REMEMBERED_ROTATIONS = 50;

/** Gives a client a new secret. The former one stays valid for a day, and an earlier one ends at once. */
export class RotateClientSecret extends RequestCommand<
  'RotateClientSecret',
  { readonly json: string; readonly replayed: boolean } | Rejection<'client_not_found' | 'client_without_secret'>
> {
  constructor(
    readonly id: string,
    readonly request: RequestContext,
  ) {
    super();
  }
}

export const rotateClientSecret = async (
  { documents, identities, keys, clock }: Ports<'documents' | 'identities' | 'keys' | 'clock'>,
  { id, request }: RotateClientSecret,
): Promise<ResultOf<RotateClientSecret>> => {
  const clients = new OAuthClients(documents);
  const rotation = identities.of(`rotateClientSecret ${id}`, request, {}).id;
  const found = await clients.get(id);
  if (found?.client.tenant !== request.tenant) return rejected('client_not_found');
  if (found.secretDigest === undefined) return rejected('client_without_secret');
  const secretWith = await secretsOf(keys, id);
  const now = clock.now();
  const replayed = numberOf(found, rotation) !== undefined;
  const stored = replayed ? found : await clients.change(id, (latest) => rotated(latest, rotation, secretWith, now));
  const number = stored ? numberOf(stored, rotation) : undefined;
  if (!stored || number === undefined) return rejected('client_not_found');
  const secret = secretWith(number);
  // A replayed answer shows a secret only while it is valid.
  const valid = isSecretValid(stored, secret, now);
  const view = {
    ...clientView(stored.client),
    ...(valid && { secret }),
    ...(stored.formerSecret && { formerSecretValidUntil: stored.formerSecret.validUntil }),
  };
  return { json: JSON.stringify(view), replayed };
};

/** Returns the number of the secret that a rotation gave a client, or undefined if the client does not remember that rotation. */
const numberOf = ({ rotations = [] }: StoredClient, rotation: string): number | undefined =>
  rotations.find(({ id }) => id === rotation)?.number;

/** Returns a client with the next secret, or null if it has none. A client that remembers the rotation already has its secret. */
const rotated = (stored: StoredClient, rotation: string, secretWith: (number: number) => string, now: Date): StoredClient | null => {
  const { secretDigest, rotations = [] } = stored;
  if (secretDigest === undefined) return null;
  if (numberOf(stored, rotation) !== undefined) return stored;
  const number = (rotations.at(-1)?.number ?? 0) + 1;
  return {
    ...stored,
    secretDigest: digestSecret(secretWith(number)),
    formerSecret: { digest: secretDigest, validUntil: new Date(now.getTime() + FORMER_SECRET_VALID).toISOString() },
    rotations: [...rotations, { id: rotation, number }].slice(-REMEMBERED_ROTATIONS),
  };
};
