/** What a real server or the network between does to an append at a bad moment. */
export type AppendFault =
  | 'cut before commit' // the connection breaks, and nothing was written
  | 'cut after commit' // the connection breaks, and everything was written
  | 'silence before commit' // nothing was written, and no answer ever comes
  | 'silence after commit' // everything was written, and no answer ever comes
  | 'answer held back' // everything was written, and the answer comes when the test says so
  | 'busy' // the server says that it does not begin with it
  | 'access denied'; // this caller may not write to this stream

export type Leader = { readonly host: string; readonly port: number };

/** The faults a test has switched on. */
export class Faults {
  private readonly heldBack: (() => void)[] = [];
  /** One for each append that arrives, the first first; none left is no fault. */
  readonly nextAppends: AppendFault[] = [];
  /** Another node that leads: requests that require a leader are sent there. `unknown`: an election is under way. */
  leader: Leader | 'unknown' | null = null;
  /** Milliseconds after which an append that was not acknowledged is answered as timed out: what the real server waits. */
  writeTimeout = 2_000;
  /** Servers before 23.10 do not tell a subscription that it has caught up. */
  tellsCaughtUp = true;
  /** A subscription that is taken up begins with the event at its place, not after it. */
  beginsAtThePlace = false;

  holdBack(answer: () => void): void {
    this.heldBack.push(answer);
  }

  /** Sends the answers that were held back, in the order of their appends. */
  answerHeldBack(): void {
    for (const answer of this.heldBack.splice(0)) answer();
  }
}
