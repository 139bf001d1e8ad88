import type { DocumentPage, Scalar, Where } from '../../../eventsourcing/ports/documents.port.js';

/** Maximum cached characters per collection. If a new result does not fit, the collection's other results are removed. */
const BUDGET = 8_000_000;
/** Results with more characters are not cached, because a few such results would evict all others. */
const MAX_WEIGHT = 256_000;
/** The weight of a result without its texts, in characters. */
const OVERHEAD = 300;

/** The group of the results that depend on several tenants. */
const ANY_TENANT = Symbol('any tenant');
type TenantGroup = Scalar | typeof ANY_TENANT;

type CachedResult = { readonly result: unknown; readonly weight: number };

const textsIn = (result: unknown): readonly string[] => {
  if (typeof result !== 'object' || result === null) return [];
  return Array.isArray(result) ? (result as readonly string[]) : 'texts' in result ? (result as DocumentPage).texts : [];
};

const weightOf = (query: string, result: unknown): number => {
  const texts = textsIn(result);
  return texts.reduce((sum, text) => sum + text.length, query.length + OVERHEAD);
};

/** A result that is cached, or that its caller computes and then adds. */
export type CacheEntry<Result> = {
  /** Absent if the result is not cached. */
  readonly cached?: { readonly result: Result };
  /** Caches a result, unless a write has invalidated results of the collection meanwhile. */
  readonly add: (result: Result) => void;
};

/** The cached results of one collection. */
class CollectionResults {
  private readonly byTenant = new Map<TenantGroup, Map<string, CachedResult>>();
  private weight = 0;
  private invalidations = 0;

  entry(tenant: TenantGroup, query: string): CacheEntry<unknown> {
    const cached = this.byTenant.get(tenant)?.get(query);
    const before = this.invalidations;
    const add = (result: unknown): void => {
      const weight = weightOf(query, result);
      if (before === this.invalidations && weight <= MAX_WEIGHT) this.add(tenant, query, { result, weight });
    };
    return cached ? { cached, add } : { add };
  }

  remove(tenant: TenantGroup): void {
    this.invalidations++;
    for (const { weight } of this.byTenant.get(tenant)?.values() ?? []) this.weight -= weight;
    this.byTenant.delete(tenant);
  }

  clear(): void {
    this.invalidations++;
    this.byTenant.clear();
    this.weight = 0;
  }

  /** Returns whether the cache has a result of a single tenant other than `tenant`. */
  hasResultsOfOtherTenants(tenant: Scalar): boolean {
    return this.byTenant.size > (this.byTenant.has(tenant) ? 1 : 0) + (this.byTenant.has(ANY_TENANT) ? 1 : 0);
  }

  private add(tenant: TenantGroup, query: string, cached: CachedResult): void {
    if (this.weight + cached.weight > BUDGET) {
      this.byTenant.clear();
      this.weight = 0;
    }
    let results = this.byTenant.get(tenant);
    if (!results) this.byTenant.set(tenant, (results = new Map<string, CachedResult>()));
    this.weight += cached.weight - (results.get(query)?.weight ?? 0);
    results.set(query, cached);
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
    const entry = this.entry<Result>(table, where, query);
    if (entry.cached) return entry.cached.result;
    const result = compute();
    entry.add(result);
    return result;
  }

  /** Returns the entry of a query, for a result that another thread computes. */
  entry<Result>(table: string, where: Where, query: string): CacheEntry<Result> {
    let results = this.collections.get(table);
    if (!results) this.collections.set(table, (results = new CollectionResults()));
    const { tenant } = where;
    const group = tenant === undefined || (typeof tenant === 'object' && tenant !== null) ? ANY_TENANT : tenant;
    return results.entry(group, `${query} ${JSON.stringify(where)}`) as CacheEntry<Result>;
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
