/**
 * A personal value as the log and read models store it: encrypted with the key of one person. The codec
 * decrypts it. Once the person's key is destroyed, it is decrypted as null.
 */
export type Sealed = { readonly $sealed: string; readonly subject: string };

/** A personal value: plain before it is appended, sealed when it is read. */
export type Personal = string | Sealed;

/** Per event type: the dotted paths of the personal fields, and the person with whose key they are sealed. */
export type PersonalFields<Data = never> = {
  readonly subject: (data: Data, meta: { readonly stream: string; readonly tenant: string }) => string;
  readonly paths: readonly string[];
};
