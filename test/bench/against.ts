/** What was measured side by side with something bare. */
export type Against = {
  readonly name: string;
  readonly goal: number;
  readonly ours: number;
  readonly bare: number;
  readonly against: string;
};
