import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { digestTag } from '../../http/collections.js';
import { ROOT } from '../../installed.js';
import type { PublicContent } from './send-public.js';

const CSS = 'text/css; charset=utf-8';
const JAVASCRIPT = 'text/javascript; charset=utf-8';

const own = (name: string): URL => new URL(`assets/${name}`, ROOT);
const ofSwaggerUi = (name: string): string => createRequire(import.meta.url).resolve(`swagger-ui-dist/${name}`);

const built = (name: string): URL => new URL(`dist/console/${name}`, ROOT);

type Files = Readonly<Record<string, { readonly type: string; readonly file: string | URL }>>;

/** The files that pages load, by name: those in the folder assets, and those of Swagger UI in its package. */
const FILES: Files = {
  'favicon.svg': { type: 'image/svg+xml', file: own('favicon.svg') },
  'petstore.css': { type: CSS, file: own('petstore.css') },
  'forms.css': { type: CSS, file: own('forms.css') },
  'page.js': { type: JAVASCRIPT, file: own('page.js') },
  'guides.mjs': { type: JAVASCRIPT, file: own('guides.mjs') },
  'reference.css': { type: CSS, file: own('reference.css') },
  'reference.mjs': { type: JAVASCRIPT, file: own('reference.mjs') },
  'samples.mjs': { type: JAVASCRIPT, file: own('samples.mjs') },
  'swagger-ui.css': { type: CSS, file: ofSwaggerUi('swagger-ui.css') },
  'oauth2-redirect.js': { type: JAVASCRIPT, file: ofSwaggerUi('oauth2-redirect.js') },
  'swagger-ui-bundle.js': { type: JAVASCRIPT, file: ofSwaggerUi('swagger-ui-bundle.js') },
};

/** The files of the console, which `npm run build` makes. */
const CONSOLE_FILES = {
  'console.js': { type: JAVASCRIPT, file: built('console.js') },
  'console.css': { type: CSS, file: built('console.css') },
  'verify.js': { type: JAVASCRIPT, file: built('verify.js') },
} as const satisfies Files;
export type ConsoleFile = keyof typeof CONSOLE_FILES;

const cache = new Map<string, PublicContent>();

/** Returns the file with this name, or null if there is none. Each file is read once. */
export const pageFile = (name: string): PublicContent | null => fileIn(FILES, name);

/** Returns a file of the console, or null if it was not built. */
export const consoleFile = (name: ConsoleFile): PublicContent | null => (isConsoleBuilt() ? fileIn(CONSOLE_FILES, name) : null);

/** Returns whether the files of the console were built. */
export const isConsoleBuilt = (): boolean => Object.values(CONSOLE_FILES).every(({ file }) => existsSync(file));

const fileIn = (files: Files, name: string): PublicContent | null => {
  const cached = cache.get(name);
  if (cached) return cached;
  const found = Object.hasOwn(files, name) ? files[name] : undefined;
  if (!found) return null;
  const content = readFileSync(found.file);
  const file = { type: found.type, content, etag: digestTag(content) };
  cache.set(name, file);
  return file;
};
