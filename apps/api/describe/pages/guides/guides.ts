import { readFileSync } from 'node:fs';
import { ROOT } from '../../../installed.js';
import { pageHtml } from '../page.js';
import { sidebarHtml, type SidebarLink } from '../sidebar.js';
import { renderMarkdown, type RenderedDocument, type Section } from './markdown.js';

/** The guides by their names in addresses, in the order in which readers need them. Each is a document of the repository. */
export const GUIDES = {
  api: {
    title: 'API',
    file: 'docs/api.md',
    about: 'A walk from a token to a paid order, test cards, generated clients and the conventions.',
  },
  webhooks: {
    title: 'Webhooks',
    file: 'docs/webhooks.md',
    about: 'Register an endpoint, verify signatures, redeliver; and order callbacks.',
  },
  events: { title: 'Events', file: 'docs/events.md', about: 'The topics in Kafka: how to read them without a gap.' },
  audit: { title: 'Audit', file: 'docs/audit.md', about: 'Prove that the history is whole, and export it for auditors.' },
  operations: { title: 'Operations', file: 'docs/operations.md', about: 'Commands, data, health, logs and the distributed profile.' },
  runbook: { title: 'Runbook', file: 'deploy/runbook.md', about: 'What to do when something is wrong.' },
  configuration: { title: 'Configuration', file: 'docs/configuration.md', about: 'Every setting with its default.' },
  proxies: { title: 'Proxies', file: 'docs/proxies.md', about: 'nginx, HAProxy and others in front of the service.' },
  security: { title: 'Security', file: 'docs/security.md', about: 'What is protected, by what, and what was attacked.' },
  contract: { title: 'Contract', file: 'docs/contract.md', about: 'The whole interface in numbered sections: the single source.' },
  changelog: { title: 'Changelog', file: 'CHANGELOG.md', about: 'What has changed, by version.' },
} as const;

export type GuideName = keyof typeof GUIDES;
export const GUIDE_NAMES = Object.keys(GUIDES) as readonly GuideName[];

const ADDRESS = '/docs/guides';
const guideOfFile = new Map<string, GuideName>(GUIDE_NAMES.map((name) => [GUIDES[name].file, name]));

/** Returns the address of a link in a guide, or null if it leads to a file of the repository that is no guide. */
const addressOf =
  (name: GuideName) =>
  (link: string): string | null => {
    if (/^(https?:|mailto:)/.test(link)) return link;
    const { pathname, hash } = new URL(link, `file:///${GUIDES[name].file}`);
    const target = guideOfFile.get(decodeURIComponent(pathname.slice(1)));
    return target === undefined ? null : `${target === name && hash !== '' ? '' : `${ADDRESS}/${target}`}${hash}`;
  };

const rendered = new Map<GuideName, RenderedDocument>();

/** Returns a guide as HTML, with its sections. Each is rendered once. */
export const guide = (name: GuideName): RenderedDocument => {
  const cached = rendered.get(name) ?? renderMarkdown(readFileSync(new URL(GUIDES[name].file, ROOT), 'utf8'), addressOf(name));
  rendered.set(name, cached);
  return cached;
};

/** Every section of every guide, for the search. `address` is below the path of the public address. */
export const searchable = (): readonly {
  readonly guide: string;
  readonly title: string;
  readonly address: string;
  readonly text: string;
}[] =>
  GUIDE_NAMES.flatMap((name) =>
    guide(name).sections.map(({ title, id, text }) => ({ guide: GUIDES[name].title, title, address: `guides/${name}#${id}`, text })),
  );

/** The deepest level of the headings in the sidebar. */
const LOWEST_LEVEL = 3;

const sectionLinks = (sections: readonly Section[]): readonly SidebarLink[] => {
  const links: (SidebarLink & { links: SidebarLink[] })[] = [];
  for (const { level, title, id } of sections) {
    if (level === 1 || level > LOWEST_LEVEL) continue;
    const link = { href: `#${id}`, label: title };
    if (level === 2 || links.length === 0) links.push({ ...link, links: [] });
    else links.at(-1)?.links.push(link);
  }
  return links.map(({ links: below, ...link }) => (below.length === 0 ? link : { ...link, links: below }));
};

const sidebar = (current?: GuideName): string =>
  sidebarHtml({
    what: 'guides',
    label: 'Guides',
    groups: GUIDE_NAMES.map((name) =>
      name === current
        ? { label: GUIDES[name].title, links: sectionLinks(guide(name).sections), isOpen: true }
        : { label: GUIDES[name].title, href: `${ADDRESS}/${name}` },
    ),
  });

const page = (title: string, nav: string, content: string): string =>
  pageHtml({
    title,
    section: ADDRESS,
    body: `<main class="page with-contents guide">
${nav}
<article data-search="${ADDRESS}/search.json">
${content}
</article></main>`,
    scripts: ['/docs/page.js', '/docs/guides.mjs'],
  });

/** Creates the page of a guide. */
export const guideHtml = (name: GuideName): string => page(GUIDES[name].title, sidebar(name), guide(name).html);

/** Creates the page that lists the guides. */
export const guidesHtml = (): string =>
  page(
    'Guides',
    sidebar(),
    `<h1>Guides</h1>
<ul class="cards">${GUIDE_NAMES.map((name) => {
      const { title, about } = GUIDES[name];
      return `<li><a href="${ADDRESS}/${name}"><strong>${title}</strong><span>${about}</span></a></li>`;
    }).join('')}</ul>`,
  );
