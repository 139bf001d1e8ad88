import { join } from 'node:path';
import { PROGRAM_NAME, quoteForShell, TOKEN_COMMAND } from '../../../apps/petstore/terminal/installation.js';
import { formatPath } from './arguments.js';
import type { LocalCluster, PartName } from './local-cluster.js';

/** The file with the addresses of the servers, as settings for `petstore` commands. */
export const SETTINGS_FILE = 'settings.env';

type Row = readonly [name: PartName, what: string];

const ROWS: readonly Row[] = [
  ['api-1', ''],
  ['api-2', ''],
  ['worker-1', 'its health is at /health/ready'],
  ['worker-2', 'its health is at /health/ready'],
  ['kafka', 'one real broker'],
  ['mongodb', 'real, a replica set of one member'],
  ['eventstoredb', 'a stand-in: not EventStoreDB, but a server that speaks its protocol'],
];

/** The text that a user reads when the cluster is ready. */
export const formatReport = (folder: string, { addressOf }: LocalCluster): string => {
  const lines = ROWS.map(([name, what]) => [name.padEnd(14), addressOf(name).padEnd(46), what].join('').trimEnd());
  const first = addressOf('api-1');
  const settings = `env $(cat ${quoteForShell(formatPath(join(folder, SETTINGS_FILE)))})`;
  return `
  Petstore's cluster is ready

    ${lines.join('\n    ')}

    Interface     ${first}/docs
    Token         ${settings} ${TOKEN_COMMAND}
    Sample pets   ${settings} ${PROGRAM_NAME} seed --pets 1000 --url ${first}
    Logs          ${formatPath(folder)}/<name>/log, of this start
    Data          stored in ${formatPath(folder)}

  Press Ctrl-C to stop.
`;
};
