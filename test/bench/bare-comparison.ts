/** The measurements of the service and of a minimal program. `against` describes that program. */
export type BareComparison = {
  readonly name: string;
  readonly goal: number;
  readonly ours: number;
  readonly bare: number;
  readonly against: string;
};
