import { Marked, type Token, type Tokens } from 'marked';
import { copyableHtml, escapeHtml } from '../page.js';

/** A heading of a document, and the text below it without markup, up to the next heading. `id` is its anchor. */
export type Section = { readonly level: number; readonly title: string; readonly id: string; readonly text: string };

export type RenderedDocument = { readonly html: string; readonly sections: readonly Section[] };

/**
 * Renders a document of this repository. `addressOf` returns the address that a link of the document leads to, or null if this
 * service does not serve it: the link is then shown as text. HTML in a document is shown as text, too.
 */
export const renderMarkdown = (markdown: string, addressOf: (link: string) => string | null): RenderedDocument => {
  // A bare address is an example, and no link.
  const marked = new Marked({ tokenizer: { url: () => undefined } });
  const tokens = marked.lexer(markdown);
  const sections = sectionsOf(tokens);
  const headings = sections.values();
  marked.use({
    renderer: {
      heading({ tokens: inline, depth }) {
        // The headings are rendered in the order in which the sections were found.
        const id = headings.next().value?.id ?? '';
        return `<h${depth} id="${id}">${this.parser.parseInline(inline)}</h${depth}>\n`;
      },
      link({ href, tokens: inline }) {
        const address = addressOf(href);
        const text = this.parser.parseInline(inline);
        return address === null ? text : `<a href="${escapeHtml(address)}">${text}</a>`;
      },
      code: ({ text }) => copyableHtml(text),
      html: ({ text }) => escapeHtml(text),
      table({ header, rows }) {
        const cell = ({ tokens: inline }: Tokens.TableCell): string => `<td>${this.parser.parseInline(inline)}</td>`;
        // Screen readers would announce an empty heading.
        const heading = (one: Tokens.TableCell): string =>
          one.text === '' ? '<td></td>' : `<th scope="col">${this.parser.parseInline(one.tokens)}</th>`;
        return `<div class="wide" tabindex="0"><table class="rows"><thead><tr>${header.map(heading).join('')}</tr></thead><tbody>${rows
          .map((row) => `<tr>${row.map(cell).join('')}</tr>`)
          .join('')}</tbody></table></div>\n`;
      },
    },
  });
  return { html: marked.parser(tokens), sections };
};

const sectionsOf = (tokens: readonly Token[]): readonly Section[] => {
  const anchorOf = anchors();
  const sections: { level: number; title: string; id: string; text: string }[] = [];
  for (const token of tokens) {
    const section = sections.at(-1);
    if (token.type === 'heading') {
      const { depth, tokens: inline } = token as Tokens.Heading;
      const title = plainText(inline);
      sections.push({ level: depth, title, id: anchorOf(title), text: '' });
    } else if (section) section.text = `${section.text} ${plainText([token])}`.replace(/\s+/g, ' ').trim();
  }
  return sections;
};

/** Returns the text of tokens without markup. */
const plainText = (tokens: readonly Token[]): string => tokens.map(textOf).join('');

const textOf = (token: Token): string => {
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table;
    return [header, ...rows].map((row) => row.map(({ tokens }) => plainText(tokens)).join(' ')).join(' ');
  }
  if (token.type === 'list') return (token as Tokens.List).items.map(({ tokens }) => plainText(tokens)).join(' ');
  if ('tokens' in token && token.tokens) return plainText(token.tokens);
  return 'text' in token ? String(token.text) : ' ';
};

/** Returns a function that makes the anchors of the headings of a document, as GitHub does, so that links work on both. */
const anchors = (): ((title: string) => string) => {
  const uses = new Map<string, number>();
  return (title) => {
    const slug = title
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const used = uses.get(slug) ?? 0;
    uses.set(slug, used + 1);
    return used === 0 ? slug : `${slug}-${used}`;
  };
};
