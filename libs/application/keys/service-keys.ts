import { CHECKPOINT_SIGNING, type ListedProofKey } from '../../audit/keys/proof-keys.js';
import { keysOfKind } from '../../eventsourcing/ports/key-rotation.js';
import type { ServiceKey } from '../../eventsourcing/ports/key-vault.port.js';
import { TOKEN_KEY_KINDS, type SigningKey } from '../../ports/signing-keys.port.js';

/** The kind of the keys that sign tokens, of either algorithm. */
export const TOKEN_SIGNING = 'token-signing';

/** A key of the service, without its secret (contract 31.3). */
export type KeyView = {
  /** The thumbprint of a key that signs tokens or checkpoints, and the name of any other key. */
  readonly id: string;
  readonly kind: string;
  /** Absent for a key that an early version created without storing the time, and for a key of SIGNING_KEY_FILE. */
  readonly createdAt?: string;
  /** When a key that was announced signs, or signed first. */
  readonly activatesAt?: string;
  /** A former key only verifies or decrypts. A current key also signs or encrypts. An announced key signs from `activatesAt` on. */
  readonly status: 'announced' | 'current' | 'former';
};

/** Returns the view of a key that signs tokens. */
export const signingKeyView = ({ kid, createdAt, activatesAt, status }: SigningKey): KeyView => ({
  id: kid,
  kind: TOKEN_SIGNING,
  ...(createdAt && { createdAt: createdAt.toISOString() }),
  ...(activatesAt && { activatesAt: activatesAt.toISOString() }),
  status,
});

/** Returns the view of a key that signs checkpoints. Its status is `current` only for the key that currently signs. */
export const proofKeyView = ({ keyId, createdAt }: ListedProofKey, status: KeyView['status']): KeyView => ({
  id: keyId,
  kind: CHECKPOINT_SIGNING,
  ...(createdAt && { createdAt: createdAt.toISOString() }),
  status,
});

/**
 * Returns the views of all keys of the service: the keys for tokens, as `signing` has them, then those for checkpoints. The other
 * keys follow in the order of `stored`.
 */
export const keyViews = (
  signing: readonly SigningKey[],
  proof: readonly ListedProofKey[],
  stored: readonly ServiceKey[],
): readonly KeyView[] => [
  ...signing.map(signingKeyView),
  ...proof.map((key, index) => proofKeyView(key, index === 0 ? 'current' : 'former')),
  ...stored
    .filter((key) => [...Object.values(TOKEN_KEY_KINDS), CHECKPOINT_SIGNING].every((kind) => keysOfKind([key], kind).length === 0))
    .map(({ name, createdAt }) => ({
      id: name,
      kind: name,
      ...(createdAt && { createdAt: createdAt.toISOString() }),
      status: 'current' as const,
    })),
];
