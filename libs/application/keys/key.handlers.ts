import { Inject } from '@nestjs/common';
import { Command, CommandHandler, Query, QueryHandler, type ICommandHandler, type IQueryHandler } from '@nestjs/cqrs';
import { CHECKPOINT_SIGNING, type ProofKeys } from '../../audit/keys/proof-keys.js';
import { rejected, type Rejection } from '../../eventsourcing/decider.js';
import type { ServiceKeyList } from '../../eventsourcing/ports/key-vault.port.js';
import type { SigningKeys } from '../../ports/signing-keys.port.js';
import type { Identities } from '../identities.js';
import type { Page, RequestContext, ResultOf } from '../request.js';
import { IDENTITIES, PROOF_KEYS, SERVICE_KEY_LIST, SIGNING_KEYS } from '../tokens.js';
import { keyViews, proofKeyView, signingKeyView, TOKEN_SIGNING, type KeyView } from './service-keys.js';

/** A page of the service's keys. `page` starts at 1. */
export class ListKeys extends Query<Page> {
  constructor(
    readonly page: number,
    readonly limit: number,
  ) {
    super();
  }
}

@QueryHandler(ListKeys)
export class ListKeysHandler implements IQueryHandler<ListKeys> {
  constructor(
    @Inject(SERVICE_KEY_LIST) private readonly keys: ServiceKeyList,
    @Inject(SIGNING_KEYS) private readonly signing: SigningKeys,
    @Inject(PROOF_KEYS) private readonly proof: ProofKeys,
  ) {}

  async execute({ page, limit }: ListKeys): Promise<ResultOf<ListKeys>> {
    const all = keyViews(this.signing.list(), await this.proof.list(), await this.keys.serviceKeys());
    const items = all.slice((page - 1) * limit, page * limit).map((key) => JSON.stringify(key));
    return { items, totalItems: all.length };
  }
}

/** The kinds of keys that can be rotated. */
export const ROTATED_KINDS = [TOKEN_SIGNING, CHECKPOINT_SIGNING] as const;

type Rotation = { readonly key: KeyView; readonly replayed: boolean };

/**
 * Creates a new key for checkpoints, which signs them from then on, or for tokens, which is announced first. With `now`, a new or
 * announced key for tokens signs at once. `replayed` is true if an earlier request with the same Idempotency-Key created the key.
 */
export class RotateKey extends Command<Rotation | Rejection<'key_in_file' | 'key_announced'>> {
  constructor(
    readonly request: RequestContext,
    readonly kind: (typeof ROTATED_KINDS)[number],
    readonly now: boolean,
  ) {
    super();
  }
}

@CommandHandler(RotateKey)
export class RotateKeyHandler implements ICommandHandler<RotateKey> {
  constructor(
    @Inject(IDENTITIES) private readonly identities: Identities,
    @Inject(SIGNING_KEYS) private readonly signing: SigningKeys,
    @Inject(PROOF_KEYS) private readonly proof: ProofKeys,
  ) {}

  async execute({ request, kind, now }: RotateKey): Promise<ResultOf<RotateKey>> {
    return kind === TOKEN_SIGNING ? this.rotateTokenKey(request, now) : this.rotateCheckpointKey(request);
  }

  private async rotateTokenKey(request: RequestContext, now: boolean): Promise<ResultOf<RotateKey>> {
    const rotated = await this.signing.rotate(this.identities.of('rotateSigningKey', request, {}).id, { now });
    if (rotated === 'announced') return rejected('key_announced');
    return { key: signingKeyView(rotated.key), replayed: rotated.replayed };
  }

  private async rotateCheckpointKey(request: RequestContext): Promise<ResultOf<RotateKey>> {
    const rotated = await this.proof.rotate(this.identities.of('rotateCheckpointKey', request, {}).id);
    if (rotated === 'in file') return rejected('key_in_file');
    const { key, replayed } = rotated;
    const { keyId } = await this.proof.newest();
    return { key: proofKeyView(key, key.keyId === keyId ? 'current' : 'former'), replayed };
  }
}

/** Removes an announced key, or a former key that signed tokens, so that these tokens become invalid. Returns null on success. */
export class RemoveSigningKey extends Command<Rejection<'key_not_found' | 'key_in_use' | 'key_verifies_checkpoints'> | null> {
  constructor(readonly id: string) {
    super();
  }
}

@CommandHandler(RemoveSigningKey)
export class RemoveSigningKeyHandler implements ICommandHandler<RemoveSigningKey> {
  constructor(
    @Inject(SERVICE_KEY_LIST) private readonly keys: ServiceKeyList,
    @Inject(SIGNING_KEYS) private readonly signing: SigningKeys,
    @Inject(PROOF_KEYS) private readonly proof: ProofKeys,
  ) {}

  async execute({ id }: RemoveSigningKey): Promise<ResultOf<RemoveSigningKey>> {
    const outcome = await this.signing.remove(id);
    if (outcome === 'removed') return null;
    const all = keyViews(this.signing.list(), await this.proof.list(), await this.keys.serviceKeys());
    const found = all.find((key) => key.id === id);
    if (!found) return rejected('key_not_found');
    // Only announced and former keys for tokens can be removed. The service still uses all other keys.
    return rejected(found.kind === CHECKPOINT_SIGNING ? 'key_verifies_checkpoints' : 'key_in_use');
  }
}

/** The handlers of the service's keys, for the module. */
export const KEY_HANDLERS = [ListKeysHandler, RotateKeyHandler, RemoveSigningKeyHandler];
