/** Returns the message of an error, or the thrown value as text. */
export const reasonOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'message' in error ? String(error.message) : String(error);

/** Returns whether an operation failed because this process, or the machine, has no free file descriptor. */
export const isOutOfDescriptors = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && (error.code === 'EMFILE' || error.code === 'ENFILE');
