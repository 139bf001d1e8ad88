/**
 * A personal value as it rests in the log and in read models: encrypted with the key of the person it belongs to.
 * Code that may show it opens it through the codec; once the person's key is destroyed it reads as null.
 */
export type Sealed = { readonly $sealed: string; readonly subject: string };

/** Plain on its way into the log, sealed on every way out. */
export type Personal = string | Sealed;

/** Names, per event type, the dotted paths of the personal fields and the person whose key seals them. */
export type PersonalFields<Data = never> = {
  readonly subject: (data: Data, meta: { readonly stream: string; readonly tenant: string }) => string;
  readonly paths: readonly string[];
};
