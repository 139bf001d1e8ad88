import type { Collection } from '../../eventsourcing/ports/documents.port.js';

/** The registered clients of the authorization server. They are no read model: the log does not contain them. */
export const CLIENTS: Collection = {
  name: 'oauth_clients',
  version: 1,
  fields: { tenant: 'text', createdAt: 'text' },
  indexes: [['tenant', '-createdAt'], ['createdAt']],
  cells: [],
};

/**
 * Codes, refresh tokens, grants and running sign-ins of the authorization server. `grantId` is the grant that an
 * entry belongs to. `lookup` is the digest of the user code or uid by which an entry is also found. `expiresAt` is in
 * seconds.
 */
export const ARTIFACTS: Collection = {
  name: 'oauth_artifacts',
  version: 1,
  fields: { grantId: 'text', lookup: 'text', expiresAt: 'integer' },
  indexes: [['grantId'], ['lookup'], ['expiresAt']],
  cells: [],
};
