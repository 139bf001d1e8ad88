import { escapeHtml } from './page.js';

/** A link of a sidebar, with the links below it. */
export type SidebarLink = {
  readonly href: string;
  readonly label: string;
  /** The method of an operation, shown beside the label. */
  readonly method?: string;
  /** Further words by which the search finds the link. */
  readonly words?: string;
  readonly links?: readonly SidebarLink[];
};

/** A group of links, closed until it is opened or something in it is found. Without `links`, the group is one link. */
export type SidebarGroup = {
  readonly label: string;
  readonly href?: string;
  readonly links?: readonly SidebarLink[];
  readonly isOpen?: boolean;
};

type Sidebar = {
  /** What the search looks for, such as "operations". */
  readonly what: string;
  /** The name of the sidebar for screen readers. Default: what is on this page. */
  readonly label?: string;
  readonly groups: readonly SidebarGroup[];
};

/** Creates the sidebar of a page: a field to search, and groups of links. The script of the pages opens, closes and searches it. */
export const sidebarHtml = ({ what, label = 'On this page', groups }: Sidebar): string => `<nav class="contents" aria-label="${label}">
<details class="menu" open><summary>Contents</summary>
<input type="search" placeholder="Search ${what}" aria-label="Search ${what}" autocomplete="off" spellcheck="false">
<p class="quiet" role="status"></p>
<ul>${groups.map(groupHtml).join('')}</ul>
</details></nav>`;

const groupHtml = ({ label, href, links, isOpen = false }: SidebarGroup): string =>
  links
    ? `<li><details${isOpen ? ' open' : ''}><summary>${escapeHtml(label)}</summary>${listHtml(links)}</details></li>`
    : `<li>${linkHtml({ label, href: href ?? '' })}</li>`;

const listHtml = (links: readonly SidebarLink[]): string => `<ul>${links.map((link) => `<li>${linkHtml(link)}</li>`).join('')}</ul>`;

const linkHtml = ({ href, label, method, words, links }: SidebarLink): string => {
  const verb = method === undefined ? '' : `<span class="method ${method.toLowerCase()}">${method}</span>`;
  const found = words === undefined ? '' : ` data-words="${escapeHtml(words)}"`;
  return `<a href="${href}"${found}>${verb}<span>${escapeHtml(label)}</span></a>${links ? listHtml(links) : ''}`;
};
