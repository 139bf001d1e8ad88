import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { digestTag } from '../../../http/collections.js';
import { FAVICON_SVG } from './favicon.svg.js';
import { FORMS_CSS } from './forms.css.js';
import { PAGE_JS } from './page.js.js';
import { PETSTORE_CSS } from './petstore.css.js';
import { REFERENCE_CSS } from './reference.css.js';
import { START_JS } from './start.js.js';

/** A file that pages load. `type` is its media type. `etag` has no quotes, unlike the header ETag. */
export type PageFile = { readonly type: string; readonly content: string | Buffer; readonly etag: string };

const CSS = 'text/css; charset=utf-8';
const JAVASCRIPT = 'text/javascript; charset=utf-8';

/** Returns the folder of the package swagger-ui-dist. */
const packageFolder = (): string => dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const packaged = (name: string) => (): Buffer => readFileSync(join(packageFolder(), name));

/** How to read each file that pages load, by name. The files of Swagger UI come from its package. */
const SOURCES: Readonly<Record<string, { readonly type: string; readonly read: () => string | Buffer }>> = {
  'favicon.svg': { type: 'image/svg+xml', read: () => FAVICON_SVG },
  'petstore.css': { type: CSS, read: () => PETSTORE_CSS },
  'forms.css': { type: CSS, read: () => FORMS_CSS },
  'page.js': { type: JAVASCRIPT, read: () => PAGE_JS },
  'reference.css': { type: CSS, read: () => REFERENCE_CSS },
  'start.js': { type: JAVASCRIPT, read: () => START_JS },
  'swagger-ui.css': { type: CSS, read: packaged('swagger-ui.css') },
  'oauth2-redirect.js': { type: JAVASCRIPT, read: packaged('oauth2-redirect.js') },
  'swagger-ui-bundle.js': { type: JAVASCRIPT, read: packaged('swagger-ui-bundle.js') },
};

const cache = new Map<string, PageFile>();

/** Returns the file with this name, or null if there is none. Each file is read once. */
export const pageFile = (name: string): PageFile | null => {
  const cached = cache.get(name);
  if (cached) return cached;
  const source = Object.hasOwn(SOURCES, name) ? SOURCES[name] : undefined;
  if (!source) return null;
  const content = source.read();
  const file = { type: source.type, content, etag: digestTag(content) };
  cache.set(name, file);
  return file;
};
