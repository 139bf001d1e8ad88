/** The only source of time. */
export interface Clock {
  now(): Date;
  /**
   * Runs `work` once, after `milliseconds`. Returns a function that cancels the timer. A waiting timer never keeps the
   * process alive.
   */
  after(milliseconds: number, work: () => void): () => void;
}
