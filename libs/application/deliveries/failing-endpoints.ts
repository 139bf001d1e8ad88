import type { Collection, Documents } from '../../eventsourcing/documents.port.js';
import type { Endpoint } from './endpoints.js';
import { FAILING_MILLISECONDS } from './schedule.js';

/** Since when endpoints have answered nothing but failures; one that answered well last is not in it. */
export const FAILING: Collection = { name: 'failing_endpoints', version: 1, fields: { since: 'text' }, indexes: [], cells: [] };

/** Remembers since when endpoints fail: "5 days of nothing but failures disable the endpoint". */
export class FailingEndpoints {
  constructor(private readonly documents: Documents) {}

  /** An attempt succeeded: whatever fails from now on is the first to do so. */
  async succeeded({ id }: Endpoint): Promise<void> {
    if (await this.documents.get(FAILING, id)) await this.documents.apply([{ kind: 'delete', collection: FAILING, key: id }]);
  }

  /** An attempt failed then; answers whether the endpoint has failed for too long. Failures before it was last enabled do not count. */
  async failed({ id, enabledAt }: Endpoint, at: Date): Promise<boolean> {
    const known = await this.documents.get(FAILING, id);
    const since = known?.fields['since'];
    if (typeof since === 'string' && since >= enabledAt) return at.getTime() - Date.parse(since) >= FAILING_MILLISECONDS;
    const fields = { since: at.toISOString() };
    const document = { key: id, json: JSON.stringify(fields), fields, revision: (known?.revision ?? -1) + 1 };
    // Another failure may just have been written down as the first: it was.
    await this.documents.apply([{ kind: 'put', collection: FAILING, document, expected: known?.revision ?? 'none' }]);
    return false;
  }
}
