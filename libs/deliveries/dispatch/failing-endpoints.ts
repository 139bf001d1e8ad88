import type { Collection, Documents } from '../../eventsourcing/ports/documents.port.js';
import type { Endpoint } from '../endpoints.js';
import { FAILING_MILLISECONDS, MAX_ATTEMPT_GAP } from './outcomes.js';

/**
 * The endpoints that are failing, with the time of their first failure. A successful attempt removes the
 * endpoint from this collection.
 */
export const FAILING: Collection = { name: 'failing_endpoints', version: 1, fields: { since: 'text' }, indexes: [], cells: [] };

/** Consecutive failures of a URL: the times of the first and the latest one. Times are ISO 8601. */
type Failures = { readonly since: string; readonly latest: string; readonly url: string };

/** Records how long endpoints have been failing. After 5 days they are disabled (contract 20.6). */
export class FailingEndpoints {
  constructor(private readonly documents: Documents) {}

  /** Records a successful attempt, which ends the failures. */
  async recordSuccess({ id }: Endpoint): Promise<void> {
    if (await this.documents.get(FAILING, id)) await this.documents.apply([{ kind: 'delete', collection: FAILING, key: id }]);
  }

  /**
   * Records a failed attempt and returns whether the endpoint must be disabled. Earlier failures do not count if the endpoint
   * was enabled after the first of them, or if they belong to another URL. They also do not count if the last of them was more
   * than MAX_ATTEMPT_GAP before this attempt.
   */
  async recordFailure(endpoint: Endpoint, at: Date): Promise<boolean> {
    const stored = await this.documents.get(FAILING, endpoint.id);
    const failures = addFailure(stored && (JSON.parse(stored.json) as Failures), endpoint, at);
    const { since } = failures;
    const document = { key: endpoint.id, json: JSON.stringify(failures), fields: { since }, revision: (stored?.revision ?? -1) + 1 };
    // After a conflict, nothing is written. Another process has just recorded a failure, which is enough.
    await this.documents.apply([{ kind: 'put', collection: FAILING, document, expected: stored?.revision ?? 'none' }]);
    return at.getTime() - Date.parse(since) >= FAILING_MILLISECONDS;
  }
}

/** Adds a failure to the stored series if it continues that series. Otherwise, starts a new series with it. */
const addFailure = (failures: Failures | null, { url, enabledAt }: Endpoint, at: Date): Failures => {
  const time = at.toISOString();
  const isConsecutive =
    failures?.url === url && failures.since >= enabledAt && at.getTime() - Date.parse(failures.latest) <= MAX_ATTEMPT_GAP;
  return isConsecutive ? { ...failures, latest: time > failures.latest ? time : failures.latest } : { since: time, latest: time, url };
};
