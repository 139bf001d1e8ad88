/** The rates of the service and of a minimal program that does the same work with the client library alone. */
export type BareComparison = {
  readonly name: string;
  /** The lowest ratio of `ours` to `bare` that meets the goal. */
  readonly goal: number;
  readonly ours: number;
  readonly bare: number;
  /** Describes the minimal program. */
  readonly bareProgram: string;
};
