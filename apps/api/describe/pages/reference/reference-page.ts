import type { OperationRecord } from '../../../http/operation.js';
import { DOCS_CLIENT_ID, DOCS_RETURN_PATH } from '../../../oauth/provider/page-clients.js';
import { escapeHtml, pageHtml } from '../page.js';
import { sidebarHtml, type SidebarLink } from '../sidebar.js';

/** The tabs of the reference, each a page of its own. */
const TABS = { '/docs': 'API reference', '/docs/classic': 'Classic variant' } as const;

type Reference = {
  readonly tab: keyof typeof TABS;
  /** The prefix of the operations' paths. */
  readonly prefix: string;
  /** The address of the document that Swagger UI shows. */
  readonly documentUrl: string;
  /** The address of the document for programs. */
  readonly forPrograms: string;
  /** The operations in the order of use, with the tag and the operationId that the shown document has. */
  readonly operations: readonly ShownOperation[];
};

type ShownOperation = Pick<OperationRecord, 'method' | 'path' | 'summary'> & { readonly tag: string; readonly id: string };

const linkOf = ({ tag, id, method, path, summary }: ShownOperation): SidebarLink => ({
  href: `#/${tag}/${id}`,
  label: summary,
  method,
  words: `${path} ${id}`,
});

/** Creates a page of the reference. Its script reads the address of the document from the page. */
export const referenceHtml = ({ tab, prefix, documentUrl: shown, forPrograms, operations }: Reference): string =>
  pageHtml({
    title: TABS[tab],
    section: '/docs',
    stylesheets: ['/docs/swagger-ui.css', '/docs/reference.css'],
    body: `<main class="page with-contents reference">
<div class="intro"><nav class="tabs" aria-label="Variants">${Object.entries(TABS)
      .map(([href, label]) => `<a href="${href}"${href === tab ? ' aria-current="page"' : ''}>${label}</a>`)
      .join('')}</nav>
<h1>${TABS[tab]}</h1>
<p>The operations under <code>${prefix}</code>. <a href="${forPrograms}">${forPrograms}</a> describes them in OpenAPI, for programs.</p></div>
${sidebarHtml({
  what: 'operations',
  groups: [...Map.groupBy(operations, ({ tag: group }) => group)].map(([label, all]) => ({ label, links: all.map(linkOf) })),
})}
<div id="reference" data-document="${shown}" data-client="${DOCS_CLIENT_ID}" data-return="${escapeHtml(DOCS_RETURN_PATH)}"><noscript>This page needs JavaScript. <a href="${forPrograms}">The OpenAPI document</a> does not.</noscript>
<div class="skeleton" aria-hidden="true">${'<div></div>'.repeat(8)}</div></div>
</main>`,
    scripts: ['/docs/page.js', '/docs/swagger-ui-bundle.js', '/docs/reference.mjs'],
  });
