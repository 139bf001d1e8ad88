import type { Scalar, Where } from '../../../eventsourcing/ports/documents.port.js';

/** Maximum characters per collection. Beyond it the cache is cleared. */
const BUDGET = 16_000_000;
/** Longer answers are not cached: a few of them would evict all others. */
const MAX_WEIGHT = 256_000;
/** The weight of an answer besides its texts. */
const OVERHEAD = 300;

/** The owner of answers that depend on several tenants. */
const ANY_TENANT = Symbol('any tenant');
type Owner = Scalar | typeof ANY_TENANT;

type CachedAnswer = { readonly answer: unknown; readonly weight: number };

const weightOf = (question: string, answer: unknown): number => {
  const texts = Array.isArray(answer) ? (answer as readonly string[]) : [];
  return texts.reduce((sum, text) => sum + text.length, question.length + OVERHEAD);
};

/** A collection's cached answers. Every write invalidates those that it may change. */
class CollectionAnswers {
  private readonly byOwner = new Map<Owner, Map<string, CachedAnswer>>();
  private weight = 0;

  of(owner: Owner, question: string, work: () => unknown): unknown {
    const known = this.byOwner.get(owner)?.get(question);
    if (known) return known.answer;
    const answer = work();
    const weight = weightOf(question, answer);
    if (weight <= MAX_WEIGHT) this.add(owner, question, { answer, weight });
    return answer;
  }

  remove(owner: Owner): void {
    for (const { weight } of this.byOwner.get(owner)?.values() ?? []) this.weight -= weight;
    this.byOwner.delete(owner);
  }

  clear(): void {
    this.byOwner.clear();
    this.weight = 0;
  }

  /** Returns whether an answer is cached that a write of this tenant would not invalidate. */
  hasOthers(tenant: Scalar): boolean {
    return this.byOwner.size > (this.byOwner.has(tenant) ? 1 : 0) + (this.byOwner.has(ANY_TENANT) ? 1 : 0);
  }

  private add(owner: Owner, question: string, kept: CachedAnswer): void {
    if (this.weight + kept.weight > BUDGET) this.clear();
    let answers = this.byOwner.get(owner);
    if (!answers) this.byOwner.set(owner, (answers = new Map<string, CachedAnswer>()));
    answers.set(question, kept);
    this.weight += kept.weight;
  }
}

/** A cache of totals and pages of all collections, which are requested repeatedly between two writes. */
export class QueryCache {
  private readonly collections = new Map<string, CollectionAnswers>();

  /** Returns the cached answer to a query, or computes it. */
  of<Answer>(table: string, where: Where, question: string, work: () => Answer): Answer {
    let answers = this.collections.get(table);
    if (!answers) this.collections.set(table, (answers = new CollectionAnswers()));
    const { tenant } = where;
    const owner = tenant === undefined || (typeof tenant === 'object' && tenant !== null) ? ANY_TENANT : tenant;
    return answers.of(owner, `${question} ${JSON.stringify(where)}`, work) as Answer;
  }

  /** Invalidates the answers of one tenant and those of several. */
  invalidateTenant(table: string, tenant: Scalar): void {
    const answers = this.collections.get(table);
    answers?.remove(tenant);
    answers?.remove(ANY_TENANT);
  }

  /** Invalidates all answers of a table. */
  invalidateAll(table: string): void {
    this.collections.get(table)?.clear();
  }

  /** Returns whether `touch` would keep any answers. If so, the document's previous tenant matters. */
  keepsOthers(table: string, tenant: Scalar): boolean {
    return this.collections.get(table)?.hasOthers(tenant) ?? false;
  }
}
