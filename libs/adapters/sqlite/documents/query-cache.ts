import type { Scalar, Where } from '../../../eventsourcing/ports/documents.port.js';

/** Maximum number of characters per collection. The cache is cleared instead of exceeding it. */
const BUDGET = 16_000_000;
/** Answers with more characters are not cached: a few of them would evict all others. */
const MAX_WEIGHT = 256_000;
/** The weight of an answer without its texts, in characters. */
const OVERHEAD = 300;

/** Groups the answers that depend on several tenants. */
const ANY_TENANT = Symbol('any tenant');
type TenantGroup = Scalar | typeof ANY_TENANT;

type CachedAnswer = { readonly answer: unknown; readonly weight: number };

const weightOf = (question: string, answer: unknown): number => {
  const texts = Array.isArray(answer) ? (answer as readonly string[]) : [];
  return texts.reduce((sum, text) => sum + text.length, question.length + OVERHEAD);
};

/** The cached answers of one collection. */
class CollectionAnswers {
  private readonly byTenant = new Map<TenantGroup, Map<string, CachedAnswer>>();
  private weight = 0;

  of(tenant: TenantGroup, question: string, work: () => unknown): unknown {
    const known = this.byTenant.get(tenant)?.get(question);
    if (known) return known.answer;
    const answer = work();
    const weight = weightOf(question, answer);
    if (weight <= MAX_WEIGHT) this.add(tenant, question, { answer, weight });
    return answer;
  }

  remove(tenant: TenantGroup): void {
    for (const { weight } of this.byTenant.get(tenant)?.values() ?? []) this.weight -= weight;
    this.byTenant.delete(tenant);
  }

  clear(): void {
    this.byTenant.clear();
    this.weight = 0;
  }

  /** Returns whether an answer of another single tenant is cached. */
  hasAnswersOfOtherTenants(tenant: Scalar): boolean {
    return this.byTenant.size > (this.byTenant.has(tenant) ? 1 : 0) + (this.byTenant.has(ANY_TENANT) ? 1 : 0);
  }

  private add(tenant: TenantGroup, question: string, cached: CachedAnswer): void {
    if (this.weight + cached.weight > BUDGET) this.clear();
    let answers = this.byTenant.get(tenant);
    if (!answers) this.byTenant.set(tenant, (answers = new Map<string, CachedAnswer>()));
    answers.set(question, cached);
    this.weight += cached.weight;
  }
}

/** A cache of totals and pages. A write invalidates the answers of its tenant. */
export class QueryCache {
  private readonly collections = new Map<string, CollectionAnswers>();

  /** Returns the cached answer to a query, or computes it. */
  of<Answer>(table: string, where: Where, question: string, work: () => Answer): Answer {
    let answers = this.collections.get(table);
    if (!answers) this.collections.set(table, (answers = new CollectionAnswers()));
    const { tenant } = where;
    const group = tenant === undefined || (typeof tenant === 'object' && tenant !== null) ? ANY_TENANT : tenant;
    return answers.of(group, `${question} ${JSON.stringify(where)}`, work) as Answer;
  }

  /** Invalidates the answers of one tenant, and those that depend on several tenants. */
  invalidateTenant(table: string, tenant: Scalar): void {
    const answers = this.collections.get(table);
    answers?.remove(tenant);
    answers?.remove(ANY_TENANT);
  }

  /** Invalidates all answers of a table. */
  invalidateAll(table: string): void {
    this.collections.get(table)?.clear();
  }

  /** Returns whether answers would remain after `invalidateTenant`. */
  hasAnswersOfOtherTenants(table: string, tenant: Scalar): boolean {
    return this.collections.get(table)?.hasAnswersOfOtherTenants(tenant) ?? false;
  }
}
