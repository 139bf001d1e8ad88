/** A cookie. `path` decides to which addresses the browser sends it; `attributes` has all its attributes as text. */
type Cookie = { readonly value: string; readonly path: string; readonly attributes: string };

/** A page that a browser shows. */
export type Page = {
  readonly status: number;
  readonly url: string;
  readonly html: string;
  readonly headers: Headers;
};

const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
const unescapeHtml = (html: string): string => html.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? entity);

/** A browser without scripts: it keeps cookies, follows redirects within the service and submits forms. */
export class Browser {
  readonly cookies = new Map<string, Cookie>();

  constructor(
    private readonly origin: string,
    private readonly send: typeof fetch = fetch,
  ) {}

  /** Opens an address. For a redirect to another origin, returns a page with the target as `url` and without HTML. */
  async open(url: string, init: RequestInit = {}): Promise<Page> {
    const response = await this.send(url, { ...init, redirect: 'manual', headers: { ...this.headersFor(url), ...init.headers } });
    this.keepCookies(url, response.headers);
    const location = response.headers.get('location');
    if (location === null) return { status: response.status, url, html: await response.text(), headers: response.headers };
    await response.arrayBuffer();
    const next = new URL(location, url);
    if (next.origin !== this.origin) return { status: response.status, url: next.href, html: '', headers: response.headers };
    return this.open(next.href);
  }

  /** Submits the form of a page with its hidden fields. */
  submit(page: Page, fields: Readonly<Record<string, string>>): Promise<Page> {
    const [, action = ''] = /<form[^>]* action="([^"]*)"/.exec(page.html) ?? [];
    const body = new URLSearchParams();
    for (const [, name = '', value = ''] of page.html.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g))
      body.set(name, unescapeHtml(value));
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    return this.open(new URL(action, page.url).href, { method: 'POST', body });
  }

  private headersFor(url: string): Record<string, string> {
    const { pathname } = new URL(url);
    const sent = [...this.cookies].filter(([, { path }]) => pathname === path || pathname.startsWith(path === '/' ? '/' : `${path}/`));
    return { accept: 'text/html', cookie: sent.map(([name, { value }]) => `${name}=${value}`).join('; ') };
  }

  private keepCookies(url: string, headers: Headers): void {
    for (const line of headers.getSetCookie()) {
      const [pair = '', ...attributes] = line.split('; ');
      const at = pair.indexOf('=');
      const [name, value] = [pair.slice(0, at), pair.slice(at + 1)];
      const path = attributes.find((attribute) => attribute.startsWith('path='))?.slice('path='.length) ?? new URL(url).pathname;
      if (value === '' || /expires=Thu, 01 Jan 1970/.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, { value, path, attributes: attributes.join('; ') });
    }
  }
}
