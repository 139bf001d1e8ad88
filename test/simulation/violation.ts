/** A promise of the service that a run has broken. */
export class Violation extends Error {
  override readonly name = 'Violation';

  /** `invariant` names the promise, and `message` says what broke it. */
  constructor(
    readonly invariant: string,
    message: string,
  ) {
    super(message);
  }
}
