import type { FastifyReply } from 'fastify';
import type { PublicAddress } from '../../http/public-address.js';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Escapes text for HTML. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

/** The links of the bar at the top of every page. */
const BAR = {
  '/docs': 'API reference',
  '/docs/events': 'Events',
  '/docs/guides': 'Guides',
  '/errors': 'Errors',
  '/ops': 'Console',
} as const;

type PageContent = {
  readonly title: string;
  /** The HTML inside `<body>`, after the bar. */
  readonly body: string;
  /** The link of the bar that is marked as current. Default: no link. */
  readonly section?: keyof typeof BAR;
  /** The paths of further stylesheets. Every page loads `petstore.css` after them. */
  readonly stylesheets?: readonly string[];
  /** The paths of the scripts. Default: the script for panels and Copy buttons. */
  readonly scripts?: readonly string[];
  /** The paths of scripts that are modules although their names do not end with `.mjs`. Default: none. */
  readonly modules?: readonly string[];
};

/** Creates a complete HTML page with the bar. */
export const pageHtml = ({
  title,
  body,
  section,
  stylesheets = [],
  scripts = ['/docs/page.js'],
  modules = [],
}: PageContent): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Pet Store</title>
<link rel="icon" type="image/svg+xml" href="/docs/favicon.svg">
${[...stylesheets, '/docs/petstore.css'].map((href) => `<link rel="stylesheet" href="${href}">`).join('\n')}
${[
  ...scripts.map((src) => `<script src="${src}"${src.endsWith('.mjs') ? ' type="module"' : ' defer'}></script>`),
  ...modules.map((src) => `<script type="module" src="${src}"></script>`),
].join('\n')}
</head>
<body>
<header class="bar"><div class="page">
<a class="home" href="/"><img src="/docs/favicon.svg" alt="" width="24" height="24">Pet Store</a>
<nav aria-label="Pages">${Object.entries(BAR)
  .map(([href, label]) => `<a href="${href}"${href === section ? ' aria-current="page"' : ''}>${label}</a>`)
  .join('')}</nav>
</div></header>
${body}
</body>
</html>
`;

/** Creates a block of text. The script of the pages adds a Copy button to the block. */
export const copyableHtml = (text: string): string =>
  `<div class="copyable"><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></div>`;

/** The parts of the Content-Security-Policy of a page. Pages load files only from this service. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
];

/**
 * Returns the policy of a page with a form. `targets` are the origins or schemes to which the service may redirect after
 * the form was sent. The form itself is sent to this service.
 */
export const formPolicy = (...targets: readonly string[]): string =>
  POLICY.join('; ').replace("form-action 'none'", ["form-action 'self'", ...targets].join(' '));

/**
 * Returns the origin of a URI of a client, to which the browser may be redirected after a form was sent. The Content-Security-Policy of the
 * page must name this origin, because Chromium applies the policy to such redirects, too. The URI of an app has no origin (`null`), so
 * its scheme is returned.
 */
export const policyTargetOf = (uri: string): string => {
  const { protocol, origin, hostname } = new URL(uri);
  // The syntax of a policy has no IPv6 address: Chromium would block the redirect to an app at `[::1]`.
  return origin === 'null' || hostname.startsWith('[') ? protocol : origin;
};

/**
 * Returns the policy of a page whose form is sent to another server by one inline script. `script` is the source of the script: its
 * hash. The syntax of a policy has no IPv6 address, so the policy of a form for such an address names no target.
 */
export const formTargetPolicy = (target: string, script: string): string => {
  const { origin, hostname } = new URL(target);
  return POLICY.flatMap((part) => {
    if (part.startsWith('script-src')) return [`script-src ${script}`];
    if (!part.startsWith('form-action')) return [part];
    return hostname.startsWith('[') ? [] : [`form-action ${origin}`];
  }).join('; ');
};

/**
 * The policies of pages without a form. The reference page (`/docs`) also loads the OpenAPI document, and sends the
 * requests of "Try it out".
 */
export const POLICIES = { page: POLICY.join('; '), reference: [...POLICY, "connect-src 'self'"].join('; ') } as const;

/**
 * Returns the policy of the console, which verifies in a worker, and sends requests to this service and, to sign a person in, to an outside issuer. The syntax of a
 * policy has no IPv6 address, so it does not name an issuer at such an address.
 */
export const consolePolicy = (outsideIssuer: string | null): string => {
  const issuer = outsideIssuer === null ? null : new URL(outsideIssuer);
  const policy = [...POLICY, "worker-src 'self'", "connect-src 'self'"].join('; ');
  return issuer === null || issuer.hostname.startsWith('[') ? policy : `${policy} ${issuer.origin}`;
};

type PageOptions = { readonly status?: number; readonly policy?: string; readonly cacheControl?: string };

/**
 * Adds the path of PUBLIC_URL to each address of a page (contract 1.5). Pages are written with the addresses of the router.
 * Text that clients wrote has no `"`, see `escapeHtml`.
 */
export const withPrefix = (html: string, { prefix }: Pick<PublicAddress, 'prefix'>): string =>
  prefix === '' ? html : html.replace(/ (href|src|action|data-document|data-search|data-root)="\//g, ` $1="${escapeHtml(prefix)}/`);

declare module 'fastify' {
  interface FastifyInstance {
    readonly publicAddress: PublicAddress;
  }
}

export const HTML_TYPE = 'text/html; charset=utf-8';

/** Sets the headers that every HTML page has. */
export const setPageHeaders = (reply: FastifyReply, policy: string): void => {
  reply.header('content-security-policy', policy).header('referrer-policy', 'no-referrer');
};

/** Sends an HTML page. */
export const sendPage = (
  reply: FastifyReply,
  html: string,
  { status = 200, policy = POLICIES.page, cacheControl = 'no-cache' }: PageOptions = {},
): void => {
  setPageHeaders(reply, policy);
  reply
    .code(status)
    .header('content-type', HTML_TYPE)
    .header('cache-control', cacheControl)
    .send(withPrefix(html, reply.server.publicAddress));
};
