/** Totals kept at a time; beyond it all are forgotten. */
const MOST_TOTALS = 2_000;

/** Totals of read models as of one moment. Requests for the same total share one command, also while it is under way. */
export class RememberedTotals {
  private readonly totals = new Map<string, Promise<unknown>>();
  private revision = -1;

  /** The total under that name, unless the read models were seen to have changed since it was worked out. */
  of<T>(revision: number, name: string, work: () => Promise<T>): Promise<T> {
    if (this.revision !== revision || this.totals.size >= MOST_TOTALS) this.forget();
    this.revision = revision;
    const known = this.totals.get(name) as Promise<T> | undefined;
    if (known) return known;
    const total = work();
    this.totals.set(name, total);
    total.catch(() => {
      if (this.totals.get(name) === total) this.totals.delete(name);
    });
    return total;
  }

  /** This process has changed documents. */
  forget(): void {
    this.totals.clear();
  }
}
