import type { RouteOptions } from 'fastify';

/** The methods of each path. Routes are added while Nest registers them. */
export type Routes = {
  add(route: Pick<RouteOptions, 'method' | 'url'>): void;
  /** Returns the Allow header of a path, or null if the path is unknown. */
  allowed(path: string): string | null;
  /** Returns the Allow header of the whole service, for `OPTIONS *`. */
  methods(): string;
};

/**
 * Finds fixed paths that a path with parameters also matches: `/v1/pets/{id}` also matches `/v1/pets/search`. Returns each
 * such fixed path with each method that only the path with parameters has. The caller makes these routes answer 405.
 * Otherwise, `GET /v1/pets/search` would read a pet with the id `search`.
 */
export const findShadowedRoutes = (
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

/** Creates an empty table of routes. */
export const createRoutes = (): Routes => {
  const addresses = new Map<string, Address>();
  return {
    add({ method, url }) {
      const address = addresses.get(url) ?? { url, pattern: patternOf(url), methods: new Set() };
      for (const name of [method].flat()) address.methods.add(name);
      addresses.set(url, address);
    },
    allowed(path) {
      // A fixed path comes before a matching path with parameters.
      const address = addresses.get(path) ?? [...addresses.values()].find(({ pattern }) => pattern.test(path));
      return address ? allowHeader(address.methods) : null;
    },
    methods: () => allowHeader([...addresses.values()].flatMap(({ methods }) => [...methods])),
  };
};

const allowHeader = (methods: Iterable<string>): string => [...new Set([...methods, 'OPTIONS'])].sort().join(', ');

/** Returns a pattern for the paths of a Fastify route: `:name` matches one segment. */
const patternOf = (url: string): RegExp => new RegExp(`^${url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`);
