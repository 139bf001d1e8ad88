/** Faults of a real server or network during an append. */
export type AppendFault =
  | 'cut before commit' // the connection breaks, and nothing was written
  | 'cut after commit' // the connection breaks, and everything was written
  | 'silence before commit' // nothing was written, and no response is sent
  | 'silence after commit' // everything was written, and no response is sent
  | 'response held back' // everything was written, and the response is sent when the test calls releaseResponses
  | 'busy' // the server responds that it did not start the append
  | 'access denied'; // this caller may not write to this stream

export type Leader = { readonly host: string; readonly port: number };

/** The faults that a test has set. */
export class Faults {
  private readonly heldBack: (() => void)[] = [];
  /** The faults of the next appends, one for each append in order of arrival. `undefined` means no fault. */
  readonly nextAppends: AppendFault[] = [];
  /**
   * The node to which this server redirects requests that require a leader. `unknown`: an election is running.
   * Null: this server is the leader.
   */
  leader: Leader | 'unknown' | null = null;
  /**
   * Milliseconds after which an unacknowledged append gets a timeout. 2 s is the real server's
   * default.
   */
  writeTimeout = 2_000;
  /** Whether a subscription gets a message when it has caught up. EventStoreDB before 23.10 sends no such message. */
  reportsCaughtUp = true;
  /** Whether a resumed subscription repeats the event at its position. A correct server starts with the next event. */
  startsAtPosition = false;

  holdResponse(respond: () => void): void {
    this.heldBack.push(respond);
  }

  /** Sends the delayed responses, in the order of their appends. */
  releaseResponses(): void {
    for (const respond of this.heldBack.splice(0)) respond();
  }
}
