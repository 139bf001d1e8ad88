import type { RouteOptions } from 'fastify';

/** Which methods each address takes, as learnt while routes were registered. */
export type Routes = {
  learn(route: Pick<RouteOptions, 'method' | 'url'>): void;
  /** The Allow header for a path, or null when nothing is there. */
  allowed(path: string): string | null;
  /** Every `METHOD /path` with braces for parameters, but HEAD. */
  list(): readonly string[];
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
      return address && !address.url.includes('*') ? [...address.methods, 'OPTIONS'].sort().join(', ') : null;
    },
    list: () =>
      [...addresses.values()].flatMap(({ url, methods }) =>
        [...methods].filter((name) => name !== 'HEAD').map((name) => `${name} ${bracesOf(url)}`),
      ),
  };
};

const patternOf = (url: string): RegExp => new RegExp(`^${url.replaceAll('.', '\\.').replaceAll('*', '.*').replace(/:\w+/g, '[^/]+')}$`);

const bracesOf = (url: string): string => url.replace(/:(\w+)/g, '{$1}');
