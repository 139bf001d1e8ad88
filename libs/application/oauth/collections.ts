import type { Collection } from '../../eventsourcing/ports/documents.port.js';

/** The registered clients of the authorization server. They are no read model: the log does not contain them. */
export const CLIENTS: Collection = {
  name: 'oauth_clients',
  version: 1,
  fields: { tenant: 'text', createdAt: 'text' },
  indexes: [['tenant', '-createdAt'], ['createdAt']],
  cells: [],
};

/** The names of removed programs, by the ids of the programs. Histories still show them. */
export const FORMER_PROGRAMS: Collection = {
  name: 'oauth_former_programs',
  version: 1,
  fields: { createdAt: 'text' },
  indexes: [['createdAt']],
  cells: [],
};

/**
 * The uses of refresh tokens, each under the key of its token in ARTIFACTS. They stand apart, because earlier versions, which may run
 * beside this one, replace the whole entry of a token. `expiresAt` is in seconds.
 */
export const REFRESH_USES: Collection = {
  name: 'oauth_refresh_uses',
  version: 1,
  fields: { grantId: 'text', expiresAt: 'integer', uses: 'integer', firstUsedAt: 'integer' },
  indexes: [['grantId'], ['expiresAt']],
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
