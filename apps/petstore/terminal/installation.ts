import { existsSync, readFileSync } from 'node:fs';

/** Finds the closest parent folder with a package.json: the repository, or the program's folder in the image. */
const findRoot = (folder: URL): URL => (existsSync(new URL('package.json', folder)) ? folder : findRoot(new URL('../', folder)));
const ROOT = findRoot(new URL('./', import.meta.url));

/** The version of this program. */
export const VERSION = (JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as { readonly version: string }).version;

/** Whether npm scripts start the program, as in the repository. The container image contains no npm scripts. */
const HAS_NPM_SCRIPTS = existsSync(new URL('scripts/run.mjs', ROOT));

/** How a user starts this program. */
export const PROGRAM_NAME = HAS_NPM_SCRIPTS ? 'npm run petstore --' : 'node dist/apps/petstore/main.js';

/** PROGRAM_NAME without npm's own output, for commands whose result a shell captures. */
export const SILENT_PROGRAM_NAME = HAS_NPM_SCRIPTS ? 'npm run --silent petstore --' : PROGRAM_NAME;

/** The command that creates a token for the first steps. */
export const TOKEN_COMMAND = `${SILENT_PROGRAM_NAME} token --scope "write:pets read:pets"`;
