import { createHmac } from 'node:crypto';
import { canonicalJson } from '../eventsourcing/canonical-json.js';
import type { Ids } from '../eventsourcing/ports/ids.port.js';
import type { KeyVault } from '../eventsourcing/ports/key-vault.port.js';
import type { RequestContext } from './request.js';

/** The id of a new resource, and the digest that distinguishes a replay from another request. */
export type Identity<Id extends string> = {
  readonly id: Id;
  /** Keyed digest of the body. Only with an Idempotency-Key. */
  readonly bodyDigest?: string;
};

/** Creates the ids of new resources. */
export type Identities = {
  /**
   * Returns an id. With an Idempotency-Key it is derived from tenant, caller, operation and key, so that a
   * replay finds the same stream. Otherwise it is a new UUIDv7. `body` is the request's content, without
   * anything that must not be stored.
   */
  of<Id extends string>(operation: string, request: RequestContext, body: unknown): Identity<Id>;
};

/** Creates ids under the service key `idempotency`, which is created at the first start and never changes. */
export const createIdentities = async (keys: KeyVault, ids: Ids): Promise<Identities> => {
  const key = await keys.serviceKey('idempotency');
  return {
    of<Id extends string>(operation: string, request: RequestContext, body: unknown): Identity<Id> {
      const { tenant, actor, idempotencyKey } = request;
      if (idempotencyKey === undefined) return { id: ids.next() as Id };
      // A plain hash of a guessable body can be reversed by trying all of them. This one needs the key.
      const bodyDigest = createHmac('sha256', key).update(canonicalJson(body)).digest('base64url');
      return { id: ids.derived(key, tenant, actor, operation, idempotencyKey) as Id, bodyDigest };
    },
  };
};
