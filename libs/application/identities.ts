import { createHmac } from 'node:crypto';
import { canonicalJson } from '../eventsourcing/canonical-json.js';
import type { Ids } from '../eventsourcing/ports/ids.port.js';
import type { KeyVault } from '../eventsourcing/ports/key-vault.port.js';
import type { RequestContext } from './request.js';

/** A new resource's id, and how a repeat of its request will be told from another request. */
export type Identity<Id extends string> = {
  readonly id: Id;
  /** Keyed digest of the body; only with an Idempotency-Key. */
  readonly bodyDigest?: string;
};

/** Makes the ids of new resources. */
export type Identities = {
  /**
   * With an Idempotency-Key the id follows from tenant, caller, operation and key, so that a repeat meets its own
   * stream; without one it is a new UUIDv7. `body` is what the request asks for, with nothing in it that must not be kept.
   */
  of<Id extends string>(operation: string, request: RequestContext, body: unknown): Identity<Id>;
};

/** Ids under the service key `idempotency`, which is made on the first start and must never change. */
export const createIdentities = async (keys: KeyVault, ids: Ids): Promise<Identities> => {
  const key = await keys.serviceKey('idempotency');
  return {
    of<Id extends string>(operation: string, request: RequestContext, body: unknown): Identity<Id> {
      const { tenant, actor, idempotencyKey } = request;
      if (idempotencyKey === undefined) return { id: ids.next() as Id };
      // A plain hash of something guessable can be reversed by trying them all; this one needs the key.
      const bodyDigest = createHmac('sha256', key).update(canonicalJson(body)).digest('base64url');
      return { id: ids.derived(key, tenant, actor, operation, idempotencyKey) as Id, bodyDigest };
    },
  };
};
