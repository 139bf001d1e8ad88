import { expect, it } from '@jest/globals';
import { StateStore } from '../../libs/application/state/state-store.js';
import { sharedMongod } from '../servers/services/shared.js';
import { describeIfAvailable } from '../servers/services/describe-if-available.js';
import { clientForTest, mongoForTest } from './mongo.js';
import { PASSES, stateStoreContract } from './state-store.contract.js';

const NAME = 'the MongoDB adapter';

/** A command that MongoDB has recorded. `autocommit` is false in a transaction. */
type Profiled = { readonly op: string; readonly command: { readonly autocommit?: boolean } };

describeIfAvailable(NAME, await sharedMongod(), ({ url }) => {
  stateStoreContract(NAME, async () => {
    const { documents, drop } = await mongoForTest(url);
    return { documents, close: drop };
  });

  /** Proves contract 24.6. */
  it('writes one entry without a transaction, which a killed process would leave open', async () => {
    const { documents, database, drop } = await mongoForTest(url);
    await documents.prepare(PASSES);
    const store = new StateStore(documents, PASSES);
    const entry = (owner: string) => ({ key: 'a', value: {}, fields: { owner, expiresAt: 10 } });
    const profiled = clientForTest(url).db(database);
    await profiled.command({ profile: 2 });
    expect([await store.put(entry('ann'), 'none'), await store.put(entry('bob'), 1)]).toEqual([true, true]);
    await store.delete('a');
    await profiled.command({ profile: 0 });
    const writes = profiled.collection<Profiled>('system.profile').find({ op: { $in: ['insert', 'update', 'remove'] }, ns: /\.passes/ });
    expect((await writes.toArray()).map(({ op, command }) => [op, command.autocommit])).toEqual([
      ['insert', undefined],
      ['update', undefined],
      ['remove', undefined],
    ]);
    await drop();
  });
});
