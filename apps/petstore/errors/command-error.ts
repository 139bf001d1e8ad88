/** Something the caller of a command can mend: shown as it is, without a stack. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
