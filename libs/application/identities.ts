import { createHmac } from 'node:crypto';
import { canonicalJson } from '../eventsourcing/canonical-json.js';
import type { Ids } from '../eventsourcing/ports/ids.port.js';
import type { KeyVault } from '../eventsourcing/ports/key-vault.port.js';
import type { RequestContext } from './request.js';

/**
 * The id of a new resource, and the digest of the request that creates it. A later request with the same
 * Idempotency-Key must have the same digest.
 */
export type Identity<Id extends string> = {
  readonly id: Id;
  /** The keyed digest of the request's body. Absent without an Idempotency-Key. */
  readonly bodyDigest?: string;
};

/** Creates the ids of new resources and recognises replayed requests. */
export abstract class Identities {
  /**
   * Returns the id of a new resource. With an Idempotency-Key, the id is derived from tenant, caller, operation and key, so
   * that a replayed request finds the same stream. Without an Idempotency-Key, the id is a new UUIDv7. `body` is the
   * request's content without secrets, because the digest of `body` is stored.
   */
  abstract of<Id extends string>(operation: string, request: RequestContext, body: unknown): Identity<Id>;
}

/** Creates identities with the service key `idempotency`, which is created at the first start and never changes. */
export const createIdentities = async (keys: KeyVault, ids: Ids): Promise<Identities> => {
  const key = await keys.serviceKey('idempotency');
  return {
    of<Id extends string>(operation: string, request: RequestContext, body: unknown): Identity<Id> {
      const { tenant, actor, idempotencyKey } = request;
      if (idempotencyKey === undefined) return { id: ids.next() as Id };
      // The hash is keyed. A plain hash would reveal a body: an attacker could compare it with the hashes of guessed bodies.
      const bodyDigest = createHmac('sha256', key).update(canonicalJson(body)).digest('base64url');
      return { id: ids.derived(key, tenant, actor, operation, idempotencyKey) as Id, bodyDigest };
    },
  };
};
