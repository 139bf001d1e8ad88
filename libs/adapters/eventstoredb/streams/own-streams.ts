/** Prefixes of stream names at the server, or all streams except the server's (`$...`). */
export type StreamFilter = readonly string[] | 'all-but-system';

/** The streams of one store on a server. Only this adapter knows the names at the server (contract 24.10). */
export type OwnStreams = {
  /** Precedes every stream name at the server: `shop.` for `shop.pet-<id>`; empty without a namespace. */
  readonly prefix: string;
  readonly filter: StreamFilter;
};

/** Names the streams of a namespace with these prefixes, all of its streams by default. */
export const createOwnStreams = (namespace: string, streams?: readonly string[]): OwnStreams => {
  const prefix = namespace === '' ? '' : `${namespace}.`;
  if (streams) return { prefix, filter: streams.map((stream) => prefix + stream) };
  return { prefix, filter: prefix === '' ? 'all-but-system' : [prefix] };
};
