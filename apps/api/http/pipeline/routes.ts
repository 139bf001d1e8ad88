import type { RouteOptions } from 'fastify';

/** Which methods each address takes, as learnt while routes were registered. */
export type Routes = {
  learn(route: Pick<RouteOptions, 'method' | 'url'>): void;
  /** The Allow header for a path, or null when nothing is there. */
  allowed(path: string): string | null;
  /** The Allow header for the service as a whole (`OPTIONS *`). */
  methods(): string;
};

/**
 * What an address without parameters does not take, though one with parameters that matches it does: the router would take
 * `GET /v1/pets/search` for a pet by the id `search`.
 */
export const shadowedRoutes = (
  operations: readonly { readonly method: string; readonly path: string }[],
): readonly { readonly method: string; readonly url: string }[] => {
  const plain = operations.filter(({ path }) => !path.includes('{'));
  const patterns = operations.filter(({ path }) => path.includes('{'));
  const shadows = plain.flatMap(({ path: url }) =>
    patterns.filter(({ path }) => patternOf(path.replace(/\{(\w+)\}/g, ':$1')).test(url)).map(({ method }) => `${method} ${url}`),
  );
  const taken = new Set(plain.map(({ method, path }) => `${method} ${path}`));
  return [...new Set(shadows)]
    .filter((route) => !taken.has(route))
    .map((route) => {
      const [method = '', url = ''] = route.split(' ');
      return { method, url };
    });
};

type Address = { readonly url: string; readonly pattern: RegExp; readonly methods: Set<string> };

/** Starts with no routes. */
export const createRoutes = (): Routes => {
  const addresses = new Map<string, Address>();
  return {
    learn({ method, url }) {
      const address = addresses.get(url) ?? { url, pattern: patternOf(url), methods: new Set() };
      for (const name of [method].flat()) address.methods.add(name);
      addresses.set(url, address);
    },
    allowed(path) {
      // An address without parameters comes before one that would match it by chance.
      const address = addresses.get(path) ?? [...addresses.values()].find(({ pattern }) => pattern.test(path));
      return address && !address.url.includes('*') ? allowHeader(address.methods) : null;
    },
    methods: () => allowHeader([...addresses.values()].flatMap(({ methods }) => [...methods])),
  };
};

const allowHeader = (methods: Iterable<string>): string => [...new Set([...methods, 'OPTIONS'])].sort().join(', ');

const patternOf = (url: string): RegExp => new RegExp(`^${url.replaceAll('.', '\\.').replaceAll('*', '.*').replace(/:\w+/g, '[^/]+')}$`);
