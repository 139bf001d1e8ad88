import type { DocumentWrite } from '../../libs/eventsourcing/ports/documents.port.js';
import { openForTest, temporaryFolder, thingsProjector, type OpenForTest } from '../../libs/adapters/sqlite/sqlite.fixtures.js';
import { projectionTargetContract, things } from './projection-target.contract.js';

projectionTargetContract('a folder', async () => {
  const { folder, remove } = temporaryFolder();
  const projectors = [thingsProjector({ collection: things })];
  let store: OpenForTest = await openForTest(folder);
  await store.documents.prepare(things);
  const invalid = {
    kind: 'put',
    collection: things,
    document: { key: 'z', json: null, fields: {}, revision: 0 },
  } as unknown as DocumentWrite;
  const reopen = async () => {
    await store.close();
    store = await openForTest(folder, { projectors });
    return store.target;
  };
  return {
    get documents() {
      return store.documents;
    },
    open: reopen,
    refuse: async (change) => ({ ...change, writes: [...change.writes, invalid] }),
    close: () => store.close().then(remove),
  };
});
