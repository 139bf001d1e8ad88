/** The only source of time. */
export interface Clock {
  now(): Date;
  /**
   * Runs `work` once, after `milliseconds`. Returns a function that cancels it. Never keeps the process
   * alive.
   */
  after(milliseconds: number, work: () => void): () => void;
}
