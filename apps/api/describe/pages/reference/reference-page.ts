import { pageHtml } from '../page.js';

/** The tabs of the reference, each a page of its own. */
const TABS = { '/docs': 'Interface', '/docs/classic': 'Classic variant' } as const;

type Reference = {
  readonly tab: keyof typeof TABS;
  /** The prefix of the operations' paths. */
  readonly prefix: string;
  /** The address of the document that Swagger UI shows. */
  readonly shown: string;
  /** The address of the document for programs. */
  readonly forPrograms: string;
};

/** Creates a page of the reference. Its script reads the address of the document from the page. */
export const referenceHtml = ({ tab, prefix, shown, forPrograms }: Reference): string =>
  pageHtml({
    title: TABS[tab],
    section: '/docs',
    stylesheets: ['/docs/swagger-ui.css', '/docs/reference.css'],
    body: `<main class="page reference">
<nav class="tabs" aria-label="Variants">${Object.entries(TABS)
      .map(([href, label]) => `<a href="${href}"${href === tab ? ' aria-current="page"' : ''}>${label}</a>`)
      .join('')}</nav>
<h1>${TABS[tab]}</h1>
<p>The operations under <code>${prefix}</code>. <a href="${forPrograms}">${forPrograms}</a> describes them in OpenAPI, for programs.</p>
<div id="reference" data-document="${shown}"><noscript>This page needs JavaScript. <a href="${forPrograms}">The OpenAPI document</a> does not.</noscript></div>
</main>`,
    scripts: ['/docs/swagger-ui-bundle.js', '/docs/start.js'],
  });
