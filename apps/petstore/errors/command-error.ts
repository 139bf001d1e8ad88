/** An error that the user of a command can fix. Its message is printed without a stack trace. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
}
