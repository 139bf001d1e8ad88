/** The only source of time. */
export interface Clock {
  now(): Date;
  /** Runs `work` once, `milliseconds` from now; the answer takes it back. Never keeps the process alive. */
  after(milliseconds: number, work: () => void): () => void;
}
