import type { Collection, Documents } from '../../eventsourcing/ports/documents.port.js';
import type { Endpoint } from '../endpoints.js';
import { FAILING_MILLISECONDS, MAX_ATTEMPT_GAP } from './schedule.js';

/** Since when endpoints have answered nothing but failures; one that answered well last is not in it. */
export const FAILING: Collection = { name: 'failing_endpoints', version: 1, fields: { since: 'text' }, indexes: [], cells: [] };

/** A row of failures: from when on, until when so far, and of which address. Times are ISO 8601. */
type Failures = { readonly since: string; readonly latest: string; readonly url: string };

/** Remembers since when endpoints fail: "5 days of nothing but failures disable the endpoint". */
export class FailingEndpoints {
  constructor(private readonly documents: Documents) {}

  /** An attempt succeeded: whatever fails from now on is the first to do so. */
  async succeeded({ id }: Endpoint): Promise<void> {
    if (await this.documents.get(FAILING, id)) await this.documents.apply([{ kind: 'delete', collection: FAILING, key: id }]);
  }

  /**
   * An attempt failed then; answers whether the endpoint has failed for too long. Failures before it was last enabled, of
   * another address, or before a time without any attempt do not count.
   */
  async failed(endpoint: Endpoint, at: Date): Promise<boolean> {
    const known = await this.documents.get(FAILING, endpoint.id);
    const failures = goingOn(known && (JSON.parse(known.json) as Failures), endpoint, at);
    const { since } = failures;
    const document = { key: endpoint.id, json: JSON.stringify(failures), fields: { since }, revision: (known?.revision ?? -1) + 1 };
    // Another failure may just have been written down: it says as much.
    await this.documents.apply([{ kind: 'put', collection: FAILING, document, expected: known?.revision ?? 'none' }]);
    return at.getTime() - Date.parse(since) >= FAILING_MILLISECONDS;
  }
}

/** The row that a failure goes on with, or begins. */
const goingOn = (known: Failures | null, { url, enabledAt }: Endpoint, at: Date): Failures => {
  const time = at.toISOString();
  const isSame = known?.url === url && known.since >= enabledAt && at.getTime() - Date.parse(known.latest) <= MAX_ATTEMPT_GAP;
  return isSame ? { ...known, latest: time > known.latest ? time : known.latest } : { since: time, latest: time, url };
};
