import { existsSync } from 'node:fs';
import { ROOT } from '../../api/installed.js';
import { DEFAULTS, type Settings } from '../../../libs/settings/settings.js';

/** Whether npm scripts start the program, as in the repository. The container image contains no npm scripts. */
const HAS_NPM_SCRIPTS = existsSync(new URL('scripts/run.mjs', ROOT));

/** How a user starts this program. */
export const PROGRAM_NAME = HAS_NPM_SCRIPTS ? 'npm run petstore --' : 'node dist/apps/petstore/main.js';

/** PROGRAM_NAME without npm's own output, for commands whose result a shell captures. */
const SILENT_PROGRAM_NAME = HAS_NPM_SCRIPTS ? 'npm run --silent petstore --' : PROGRAM_NAME;

/** The command that creates a token for the first steps, for the store that the environment of the shell selects. */
export const TOKEN_COMMAND = `${SILENT_PROGRAM_NAME} token --scope "write:pets read:pets"`;

/** The settings that select a store, and the service that runs on it. */
export type StoreSettings = Pick<Settings, 'dataDir' | 'port' | 'servers'>;

/** Quotes a text for a POSIX shell if the shell would change the text or split it. */
export const quoteForShell = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

/**
 * The assignments that select the same store in another shell, each with a space after it. Empty for the default store, and in
 * the distributed profile, whose addresses may contain passwords.
 */
const assignmentsFor = ({ dataDir, port, servers }: StoreSettings): string => {
  if (servers) return '';
  const folder = dataDir === DEFAULTS.dataDir ? '' : `DATA_DIR=${quoteForShell(dataDir)} `;
  // 0 selects any free port, so it does not say where the service runs.
  return port === DEFAULTS.port || port === 0 ? folder : `${folder}PORT=${port} `;
};

/** How a user starts this program on a store, from any shell in the folder of the program. */
export const programOn = (settings: StoreSettings): string => `${assignmentsFor(settings)}${PROGRAM_NAME}`;

/** The command that creates a token of a store for the first steps. */
export const tokenCommandOn = (settings: StoreSettings): string => `${assignmentsFor(settings)}${TOKEN_COMMAND}`;
