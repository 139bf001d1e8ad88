import { CHECKPOINT_SIGNING } from '../../audit/keys/proof-keys.js';
import { rejected, type Rejection } from '../../eventsourcing/decider.js';
import { RequestCommand, type RequestContext, type ResultOf } from '../request.js';
import { keyViews, proofKeyView, signingKeyView, TOKEN_SIGNING, type KeyView } from './service-keys.js';
import type { Ports } from '../command-ports.js';

/** The kinds of keys that can be rotated. */
export const ROTATED_KINDS = [TOKEN_SIGNING, CHECKPOINT_SIGNING] as const;

type Rotation = { readonly key: KeyView; readonly replayed: boolean };

/**
 * Creates a new key for checkpoints, which signs them from then on, or for tokens, which is announced first. With `now`, a new or
 * announced key for tokens signs at once. `replayed` is true if an earlier request with the same Idempotency-Key created the key.
 */
export class RotateKey extends RequestCommand<'RotateKey', Rotation | Rejection<'key_in_file' | 'key_announced'>> {
  constructor(
    readonly request: RequestContext,
    readonly kind: (typeof ROTATED_KINDS)[number],
    readonly now: boolean,
  ) {
    super();
  }
}

type RotationPorts = Ports<'identities' | 'signingKeys' | 'proofKeys'>;

export const rotateKey = (ports: RotationPorts, { request, kind, now }: RotateKey): Promise<ResultOf<RotateKey>> =>
  kind === TOKEN_SIGNING ? rotateTokenKey(ports, request, now) : rotateCheckpointKey(ports, request);

const rotateTokenKey = async (
  { identities, signingKeys }: RotationPorts,
  request: RequestContext,
  now: boolean,
): Promise<ResultOf<RotateKey>> => {
  const rotated = await signingKeys.rotate(identities.of('rotateSigningKey', request, {}).id, { now });
  if (rotated === 'announced') return rejected('key_announced');
  return { key: signingKeyView(rotated.key), replayed: rotated.replayed };
};

const rotateCheckpointKey = async ({ identities, proofKeys }: RotationPorts, request: RequestContext): Promise<ResultOf<RotateKey>> => {
  const rotated = await proofKeys.rotate(identities.of('rotateCheckpointKey', request, {}).id);
  if (rotated === 'in file') return rejected('key_in_file');
  const { key, replayed } = rotated;
  const { keyId } = await proofKeys.newest();
  return { key: proofKeyView(key, key.keyId === keyId ? 'current' : 'former'), replayed };
};

/** Removes an announced key, or a former key that signed tokens, so that these tokens become invalid. Returns null on success. */
export class RemoveSigningKey extends RequestCommand<
  'RemoveSigningKey',
  Rejection<'key_not_found' | 'key_in_use' | 'key_verifies_checkpoints'> | null
> {
  constructor(readonly id: string) {
    super();
  }
}

export const removeSigningKey = async (
  { serviceKeys, signingKeys, proofKeys }: Ports<'serviceKeys' | 'signingKeys' | 'proofKeys'>,
  { id }: RemoveSigningKey,
): Promise<ResultOf<RemoveSigningKey>> => {
  const outcome = await signingKeys.remove(id);
  if (outcome === 'removed') return null;
  const all = keyViews(signingKeys.list(), await proofKeys.list(), await serviceKeys.serviceKeys());
  const found = all.find((key) => key.id === id);
  if (!found) return rejected('key_not_found');
  // Only announced and former keys for tokens can be removed. The service still uses all other keys.
  return rejected(found.kind === CHECKPOINT_SIGNING ? 'key_verifies_checkpoints' : 'key_in_use');
};
