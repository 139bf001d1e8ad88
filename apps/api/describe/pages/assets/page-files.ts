import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { digestTag } from '../../../http/collections.js';
import { PETSTORE_CSS, REFERENCE_CSS } from './petstore.css.js';

type ReferenceFile = { readonly type: string; readonly content: string | Buffer; readonly etag: string };

/**
 * Starts the reference page: offline, so no validator badge, and nothing is sent anywhere but here. It is given the
 * document without its jsonSchemaDialect, at which it warns, though it reads the schemas all the same.
 */
const START_JS = `window.addEventListener('load', async () => {
  if (window.matchMedia('(prefers-color-scheme: dark)').matches) document.documentElement.classList.add('dark-mode');
  const { jsonSchemaDialect, ...spec } = await (await fetch('/openapi.json')).json();
  window.SwaggerUIBundle({
    spec,
    dom_id: '#reference',
    deepLinking: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    validatorUrl: null,
    supportedSubmitMethods: ['get', 'put', 'post', 'delete', 'query'],
  });
});
`;

const CSS = 'text/css; charset=utf-8';
const JAVASCRIPT = 'text/javascript; charset=utf-8';

const packageFolder = (): string => dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));
const packaged = (name: string) => (): Buffer => readFileSync(join(packageFolder(), name));

/** Every file the pages load, by name. Nothing comes from another host. */
const SOURCES: Readonly<Record<string, { readonly type: string; readonly read: () => string | Buffer }>> = {
  'petstore.css': { type: CSS, read: () => PETSTORE_CSS },
  'reference.css': { type: CSS, read: () => REFERENCE_CSS },
  'start.js': { type: JAVASCRIPT, read: () => START_JS },
  'swagger-ui.css': { type: CSS, read: packaged('swagger-ui.css') },
  'swagger-ui-bundle.js': { type: JAVASCRIPT, read: packaged('swagger-ui-bundle.js') },
  'favicon-32x32.png': { type: 'image/png', read: packaged('favicon-32x32.png') },
};

const read = new Map<string, ReferenceFile>();

/** A file by name, read once when first asked for; null when there is none of that name. */
export const referenceFile = (name: string): ReferenceFile | null => {
  const known = read.get(name);
  if (known) return known;
  const source = Object.hasOwn(SOURCES, name) ? SOURCES[name] : undefined;
  if (!source) return null;
  const content = source.read();
  const file = { type: source.type, content, etag: digestTag(content) };
  read.set(name, file);
  return file;
};
