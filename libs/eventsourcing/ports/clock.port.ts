/** The only source of time. */
export abstract class Clock {
  /** The time of day. Someone may set it forward or back at any moment, and other machines may have another one. */
  abstract now(): Date;
  /**
   * Milliseconds since a fixed moment, as a whole number. They go on evenly when the time of day is set, so durations are measured with them.
   * Another process has another fixed moment.
   */
  abstract elapsed(): number;
  /**
   * Runs `work` once, after `milliseconds`. Returns a function that cancels the timer. A waiting timer never keeps the
   * process alive.
   */
  abstract after(milliseconds: number, work: () => void): () => void;
}
