/** Returns the id of the key that a reason of the verification misses among the known keys, or null if it is another reason. */
export const missingKeyIn = (reason: string): string | null =>
  /(?:^|: )the key (\S+) is not among the known public keys$/.exec(reason)?.[1] ?? null;

/** Says what to do about a key that the copy of an auditor lacks: a rotation is the usual cause, and forgery is not shown by it. */
export const missingKeyWords = (key: string): string =>
  `Your copy of the keys lacks the key ${key}. If the service has rotated its key since your copy, get the new public key by a way ` +
  'that you trust, and verify again.';
