/**
 * Selects the streams whose names at the server begin with one of these prefixes. `all-but-system` selects all streams
 * except those of the server (`$...`).
 */
export type StreamFilter = readonly string[] | 'all-but-system';

/** The streams of this store on a server. Outside this adapter, stream names have no prefix (contract 24.10). */
export type OwnStreams = {
  /** The beginning of every stream name at the server, such as `shop.` in `shop.pet-<id>`. Empty without a namespace. */
  readonly prefix: string;
  readonly filter: StreamFilter;
};

/**
 * Returns the streams of a namespace: all of them, or only those whose names begin with one of the prefixes in `streams`.
 */
export const ownStreamsOf = (namespace: string, streams?: readonly string[]): OwnStreams => {
  const prefix = namespace === '' ? '' : `${namespace}.`;
  if (streams) return { prefix, filter: streams.map((stream) => prefix + stream) };
  return { prefix, filter: prefix === '' ? 'all-but-system' : [prefix] };
};
