/** A write, and what the service answered. `response` is null if no answer arrived. */
export type Entry<Write, Answer> = { readonly request: Write; response: Answer | null };

/** The writes that clients have sent, with the answers: what was acknowledged must be there once, what was not at most once. */
export class Ledger<Write, Answer> {
  readonly outcomes: Entry<Write, Answer>[] = [];

  constructor(private readonly isAcknowledged: (answer: Answer) => boolean) {}

  /** Records a write before it is sent. */
  record(request: Write): Entry<Write, Answer> {
    const outcome: Entry<Write, Answer> = { request, response: null };
    this.outcomes.push(outcome);
    return outcome;
  }

  /** Records a write and sends it. Resolves with its answer, or with null if none arrives. */
  async send(request: Write, sending: (request: Write) => Promise<Answer>): Promise<Answer | null> {
    const outcome = this.record(request);
    outcome.response = await sending(request).catch(() => null);
    return outcome.response;
  }

  /** Returns the writes with a successful answer. */
  acknowledged(): readonly (Entry<Write, Answer> & { readonly response: Answer })[] {
    return this.outcomes.flatMap(({ request, response }) =>
      response !== null && this.isAcknowledged(response) ? [{ request, response }] : [],
    );
  }

  /** Returns the writes without an answer. */
  unanswered(): readonly Entry<Write, Answer>[] {
    return this.outcomes.filter(({ response }) => response === null);
  }
}
