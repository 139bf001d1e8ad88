import { existsSync, readFileSync } from 'node:fs';

/** Finds the closest parent folder with a package.json: the repository, or the program's folder in the image. */
const findRoot = (folder: URL): URL => (existsSync(new URL('package.json', folder)) ? folder : findRoot(new URL('../', folder)));

/** The folder of the installed program, which also has its pages' files and its documents. */
export const ROOT = findRoot(new URL('./', import.meta.url));

/** The version of the installed program. */
export const VERSION = (JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as { readonly version: string }).version;
