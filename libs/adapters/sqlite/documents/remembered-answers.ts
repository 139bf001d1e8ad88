import type { Scalar, Where } from '../../../eventsourcing/ports/documents.port.js';

/** Characters kept per collection; beyond that all is forgotten and worked out again. */
const BUDGET = 16_000_000;
/** What is longer than this is not kept: a few such answers would push out all others. */
const LONGEST = 256_000;
/** What an answer weighs beside its texts. */
const OVERHEAD = 300;

/** Answers that no single tenant's writes can be told apart for. */
const ANY_TENANT = Symbol('any tenant');
type Owner = Scalar | typeof ANY_TENANT;

type Kept = { readonly answer: unknown; readonly weight: number };

const weightOf = (question: string, answer: unknown): number => {
  const texts = Array.isArray(answer) ? (answer as readonly string[]) : [];
  return texts.reduce((sum, text) => sum + text.length, question.length + OVERHEAD);
};

/** One collection's answers, worked out once and good until the next write that may change them: every write comes by here. */
class CollectionAnswers {
  private readonly byOwner = new Map<Owner, Map<string, Kept>>();
  private weight = 0;

  of(owner: Owner, question: string, work: () => unknown): unknown {
    const known = this.byOwner.get(owner)?.get(question);
    if (known) return known.answer;
    const answer = work();
    const weight = weightOf(question, answer);
    if (weight <= LONGEST) this.keep(owner, question, { answer, weight });
    return answer;
  }

  forget(owner: Owner): void {
    for (const { weight } of this.byOwner.get(owner)?.values() ?? []) this.weight -= weight;
    this.byOwner.delete(owner);
  }

  forgetAll(): void {
    this.byOwner.clear();
    this.weight = 0;
  }

  /** Whether anything is kept that a write of this tenant would not make us forget. */
  keepsOthers(tenant: Scalar): boolean {
    return this.byOwner.size > (this.byOwner.has(tenant) ? 1 : 0) + (this.byOwner.has(ANY_TENANT) ? 1 : 0);
  }

  private keep(owner: Owner, question: string, kept: Kept): void {
    if (this.weight + kept.weight > BUDGET) this.forgetAll();
    let answers = this.byOwner.get(owner);
    if (!answers) this.byOwner.set(owner, (answers = new Map<string, Kept>()));
    answers.set(question, kept);
    this.weight += kept.weight;
  }
}

/** Totals and pages of all collections: what is asked again and again between two writes. */
export class RememberedAnswers {
  private readonly collections = new Map<string, CollectionAnswers>();

  /** The answer to a question about a table, worked out when it is not known. */
  of<Answer>(table: string, where: Where, question: string, work: () => Answer): Answer {
    let answers = this.collections.get(table);
    if (!answers) this.collections.set(table, (answers = new CollectionAnswers()));
    const { tenant } = where;
    const owner = tenant === undefined || (typeof tenant === 'object' && tenant !== null) ? ANY_TENANT : tenant;
    return answers.of(owner, `${question} ${JSON.stringify(where)}`, work) as Answer;
  }

  /** A write of this tenant: answers of other tenants stay good. */
  touch(table: string, tenant: Scalar): void {
    const answers = this.collections.get(table);
    answers?.forget(tenant);
    answers?.forget(ANY_TENANT);
  }

  /** A write that may be anybody's. */
  touchAll(table: string): void {
    this.collections.get(table)?.forgetAll();
  }

  /** Whether `touch` would leave anything, so that it matters whose the document was before. */
  keepsOthers(table: string, tenant: Scalar): boolean {
    return this.collections.get(table)?.keepsOthers(tenant) ?? false;
  }
}
