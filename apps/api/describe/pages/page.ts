import type { FastifyReply } from 'fastify';

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

/** Text as it may stand in HTML. */
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? character);

type PageContent = {
  readonly title: string;
  /** HTML. */
  readonly body: string;
  readonly stylesheets?: readonly string[];
  readonly scripts?: readonly string[];
};

/** A whole page with the header that all pages share. */
export const pageHtml = ({ title, body, stylesheets = [], scripts = [] }: PageContent): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} · Pet Store</title>
${['/docs/petstore.css', ...stylesheets].map((href) => `<link rel="stylesheet" href="${href}">`).join('\n')}
<link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
</head>
<body>
<header class="bar"><a class="home" href="/">Pet Store</a><nav><a href="/docs">Interface</a><a href="/docs/events">Events</a><a href="/errors">Errors</a><a href="/openapi.json">OpenAPI</a></nav></header>
${body}
${scripts.map((src) => `<script src="${src}"></script>`).join('\n')}
</body>
</html>
`;

/** Pages load from this service alone; nothing of them calls elsewhere. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** The reference page runs its script, reads the description and sends what is tried out; it sets styles inline. */
const REFERENCE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Sends a page. */
export const sendPage = (reply: FastifyReply, html: string, kind: 'page' | 'reference' = 'page'): void => {
  reply
    .code(200)
    .header('content-type', 'text/html; charset=utf-8')
    .header('content-security-policy', kind === 'page' ? PAGE_POLICY : REFERENCE_POLICY)
    .header('referrer-policy', 'no-referrer')
    .header('cache-control', 'no-cache')
    .send(html);
};
