import type { Collection, Documents } from '../../eventsourcing/ports/documents.port.js';
import type { AuditFault } from '../verify/audit-fault.js';

/**
 * The collection with the result of the service's own audits. It is stored beside the read models, but it is not copied to
 * another store.
 */
export const AUDITS: Collection = { name: 'audits', version: 1, fields: {}, indexes: [], cells: [] };

const KEY = 'log';

/** The result of the audits of a log. */
export type AuditRecord = {
  /** The last audit that read the whole log without a fault: the position that it reached, and when it ended. */
  readonly verified: { readonly position: number; readonly time: string } | null;
  /** When the last audit of the whole log ended. Null if none has ended yet. */
  readonly endedAt: string | null;
  /** The number of faults by kind: of the running audit if it has found any, otherwise of the last audit that ended. */
  readonly faults: Readonly<Partial<Record<AuditFault['kind'], number>>>;
  /** The first 20 of these faults. */
  readonly first: readonly AuditFault[];
};

/** The record of a log that no audit has read. */
export const NO_AUDIT: AuditRecord = { verified: null, endedAt: null, faults: {}, first: [] };

/**
 * What `/health/ready` shows about the audits (contract 25.1). `altered`: an audit has found faults. `whole`: an audit has read
 * the log without a fault, up to `verified.position`. Later events are not verified yet. `unverified`: no audit has ended yet.
 */
export type AuditState = 'unverified' | 'whole' | 'altered';

/** Returns the state of a log. */
export const auditStateOf = ({ verified, faults }: AuditRecord): AuditState => {
  if (Object.keys(faults).length > 0) return 'altered';
  return verified ? 'whole' : 'unverified';
};

/** Returns the stored record, or NO_AUDIT. The collection must be prepared. */
export const readAuditRecord = async (documents: Pick<Documents, 'get'>): Promise<AuditRecord> => {
  const stored = await documents.get(AUDITS, KEY);
  return stored ? (JSON.parse(stored.json) as AuditRecord) : NO_AUDIT;
};

/** Replaces the record. */
export const writeAuditRecord = async (documents: Pick<Documents, 'apply'>, record: AuditRecord): Promise<void> => {
  const document = { key: KEY, json: JSON.stringify(record), revision: 0, fields: {} };
  await documents.apply([{ kind: 'put', collection: AUDITS, document }]);
};
