/** Where the page is. It is the fragment of the address, so what somebody searches for reaches no log of a server. */
export type Route = {
  /** The first part: `streams` of `#/streams/order-1?tenant=t`. */
  readonly page: string;
  /** The second part; absent of a list. */
  readonly id?: string;
  readonly query: Readonly<Record<string, string>>;
};

/** The page without a first part. */
export const HOME = 'overview';

const decoded = (text: string): string => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

/** Returns the route of a fragment. */
export const routeOf = (fragment: string): Route => {
  const [path = '', query = ''] = fragment.replace(/^#?\/?/, '').split(/\?(.*)/s);
  const [page = '', ...rest] = path.split('/');
  const id = decoded(rest.join('/'));
  return { page: page || HOME, ...(id && { id }), query: Object.fromEntries(new URLSearchParams(query)) };
};

/** Returns the fragment of a route. Members of the query without a value are left out. */
export const hrefOf = (page: string, id?: string, query: Readonly<Record<string, string | number | undefined>> = {}): string => {
  const given = Object.entries(query).flatMap(([name, value]) => (value === undefined || value === '' ? [] : [[name, String(value)]]));
  const search = new URLSearchParams(given).toString();
  const path = page === HOME ? '' : [page, ...(id === undefined ? [] : [encodeURIComponent(id)])].join('/');
  return `#/${path}${search && `?${search}`}`;
};
