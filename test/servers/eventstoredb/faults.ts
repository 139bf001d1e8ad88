/** Faults of a real server or network during an append. */
export type AppendFault =
  | 'cut before commit' // the connection breaks, and nothing was written
  | 'cut after commit' // the connection breaks, and everything was written
  | 'silence before commit' // nothing was written, and no answer is sent
  | 'silence after commit' // everything was written, and no answer is sent
  | 'answer held back' // everything was written, and the answer is sent when the test calls releaseAnswers
  | 'busy' // the server answers that it did not start the append
  | 'access denied'; // this caller may not write to this stream

export type Leader = { readonly host: string; readonly port: number };

/** The faults that a test has set. */
export class Faults {
  private readonly heldBack: (() => void)[] = [];
  /** One fault per append, in order of arrival; `undefined` is no fault. */
  readonly nextAppends: AppendFault[] = [];
  /**
   * Another node is the leader: requests that require a leader are redirected there. `unknown`: an election
   * is running.
   */
  leader: Leader | 'unknown' | null = null;
  /**
   * Milliseconds after which an unacknowledged append gets a timeout. 2 s is the real server's
   * default.
   */
  writeTimeout = 2_000;
  /** Servers before 23.10 do not notify a subscription that it has caught up. */
  reportsCaughtUp = true;
  /** A resumed subscription starts with the event at its position, instead of after it. */
  startsAtPosition = false;

  holdAnswer(answer: () => void): void {
    this.heldBack.push(answer);
  }

  /** Sends the delayed responses, in the order of their appends. */
  releaseAnswers(): void {
    for (const answer of this.heldBack.splice(0)) answer();
  }
}
