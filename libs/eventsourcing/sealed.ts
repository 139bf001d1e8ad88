/** The name of the key that encrypts a value, or the names of several keys. Decryption then needs all of them. */
export type Subject = string | readonly string[];

/**
 * A personal value as the log and read models store it: encrypted with the keys of its subject. The codec seals the value,
 * and `openSealed` decrypts it. Once one of the keys is destroyed, the value is decrypted as null.
 */
export type Sealed = { readonly $sealed: string; readonly subject: Subject };

/** Returns whether a value is a sealed personal value. */
export const isSealed = (value: unknown): value is Sealed =>
  typeof value === 'object' && value !== null && '$sealed' in value && 'subject' in value;

/** A personal value: plain before it is appended, sealed when it is read. */
export type Personal = string | Sealed;

/** The personal fields of an event type: their dotted paths, and the subject whose keys encrypt them. */
export type PersonalFields<Data = never> = {
  readonly subject: (data: Data, meta: { readonly stream: string; readonly tenant: string }) => Subject;
  readonly paths: readonly string[];
};
