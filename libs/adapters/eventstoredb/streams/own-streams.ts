/**
 * Selects streams by prefixes of their names at the server, or all streams except those of the server
 * (`$...`).
 */
export type StreamFilter = readonly string[] | 'all-but-system';

/** The streams of this store on a server. Only this adapter uses the names at the server (contract 24.10). */
export type OwnStreams = {
  /** Precedes every stream name at the server: `shop.` for `shop.pet-<id>`; empty without a namespace. */
  readonly prefix: string;
  readonly filter: StreamFilter;
};

/**
 * Returns which streams belong to a namespace: all, or with `streams` only those with one of these prefixes.
 */
export const ownStreamsOf = (namespace: string, streams?: readonly string[]): OwnStreams => {
  const prefix = namespace === '' ? '' : `${namespace}.`;
  if (streams) return { prefix, filter: streams.map((stream) => prefix + stream) };
  return { prefix, filter: prefix === '' ? 'all-but-system' : [prefix] };
};
