import type { Scalar, Where } from '../../../eventsourcing/ports/documents.port.js';

/** Maximum cached characters per collection. If a new result does not fit, the collection's other results are removed. */
const BUDGET = 16_000_000;
/** Results with more characters are not cached, because a few such results would evict all others. */
const MAX_WEIGHT = 256_000;
/** The weight of a result without its texts, in characters. */
const OVERHEAD = 300;

/** The group of the results that depend on several tenants. */
const ANY_TENANT = Symbol('any tenant');
type TenantGroup = Scalar | typeof ANY_TENANT;

type CachedResult = { readonly result: unknown; readonly weight: number };

const weightOf = (query: string, result: unknown): number => {
  const texts = Array.isArray(result) ? (result as readonly string[]) : [];
  return texts.reduce((sum, text) => sum + text.length, query.length + OVERHEAD);
};

/** The cached results of one collection. */
class CollectionResults {
  private readonly byTenant = new Map<TenantGroup, Map<string, CachedResult>>();
  private weight = 0;

  of(tenant: TenantGroup, query: string, compute: () => unknown): unknown {
    const known = this.byTenant.get(tenant)?.get(query);
    if (known) return known.result;
    const result = compute();
    const weight = weightOf(query, result);
    if (weight <= MAX_WEIGHT) this.add(tenant, query, { result, weight });
    return result;
  }

  remove(tenant: TenantGroup): void {
    for (const { weight } of this.byTenant.get(tenant)?.values() ?? []) this.weight -= weight;
    this.byTenant.delete(tenant);
  }

  clear(): void {
    this.byTenant.clear();
    this.weight = 0;
  }

  /** Returns whether the cache has a result of a single tenant other than `tenant`. */
  hasResultsOfOtherTenants(tenant: Scalar): boolean {
    return this.byTenant.size > (this.byTenant.has(tenant) ? 1 : 0) + (this.byTenant.has(ANY_TENANT) ? 1 : 0);
  }

  private add(tenant: TenantGroup, query: string, cached: CachedResult): void {
    if (this.weight + cached.weight > BUDGET) this.clear();
    let results = this.byTenant.get(tenant);
    if (!results) this.byTenant.set(tenant, (results = new Map<string, CachedResult>()));
    results.set(query, cached);
    this.weight += cached.weight;
  }
}

/** A cache of the results of queries: totals and pages. A write invalidates the results of its tenant. */
export class QueryCache {
  private readonly collections = new Map<string, CollectionResults>();

  /**
   * Returns the cached result of a query, or computes and caches the result. `query` is the query without its conditions: a
   * count, a page with sort, limit and offset, or a sum with its grouping.
   */
  of<Result>(table: string, where: Where, query: string, compute: () => Result): Result {
    let results = this.collections.get(table);
    if (!results) this.collections.set(table, (results = new CollectionResults()));
    const { tenant } = where;
    const group = tenant === undefined || (typeof tenant === 'object' && tenant !== null) ? ANY_TENANT : tenant;
    return results.of(group, `${query} ${JSON.stringify(where)}`, compute) as Result;
  }

  /** Invalidates the results of one tenant, and those that depend on several tenants. */
  invalidateTenant(table: string, tenant: Scalar): void {
    const results = this.collections.get(table);
    results?.remove(tenant);
    results?.remove(ANY_TENANT);
  }

  /** Invalidates all results of a table. */
  invalidateAll(table: string): void {
    this.collections.get(table)?.clear();
  }

  /** Returns whether results would remain after `invalidateTenant`. */
  hasResultsOfOtherTenants(table: string, tenant: Scalar): boolean {
    return this.collections.get(table)?.hasResultsOfOtherTenants(tenant) ?? false;
  }
}
