import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { afterAll, describe } from '@jest/globals';
import { STORE_FILE } from '../../libs/adapters/sqlite/index.js';
import { checkpointOf } from '../../libs/eventsourcing/ports/documents.port.js';
import { petsProjection } from '../../libs/projections/pets.projection.js';
import { caller } from '../servers/calling.js';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { startServiceProcess, tokenFor } from '../servers/process.js';
import { endPrograms } from '../servers/program.js';
import { defineSearchDifferences } from './search-differences.js';

/** Proves contract 7.4 and contract 12.10. */
describe('searches of a folder', () => {
  let database: DatabaseSync;
  afterAll(async () => {
    database.close();
    await endPrograms();
    removeFolders();
  });

  defineSearchDifferences(async () => {
    const dataDir = newFolder();
    const { url } = await startServiceProcess({ dataDir, env: { LOG_LEVEL: 'warn' } });
    database = new DatabaseSync(join(dataDir, STORE_FILE), { readOnly: true });
    const table = checkpointOf(petsProjection.collection);
    return {
      call: caller(url, await tokenFor(dataDir)),
      documents: async () =>
        database
          .prepare(`SELECT json FROM ${table}`)
          .all()
          .map(({ json }) => String(json)),
      breakStream: null,
    };
  });
});
