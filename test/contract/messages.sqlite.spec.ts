import { append, event, openForTest, temporaryFolder, type OpenForTest } from '../../libs/adapters/sqlite/sqlite.fixtures.js';
import { messagesContract, type MessagesUnderTest } from './messages.contract.js';

const underTest = (store: OpenForTest, remove: () => void): MessagesUnderTest => ({
  messages: store.messages,
  clock: store.clock,
  lines: store.lines,
  given: (stream, types, tenant) => append(store, stream, ...types.map((type) => event(type, null, tenant))),
  close: () => store.close().then(remove),
});

messagesContract('the embedded adapter in memory', async () => underTest(await openForTest(':memory:'), () => undefined));

messagesContract('the embedded adapter in a folder', async () => {
  const { folder, remove } = temporaryFolder();
  return underTest(await openForTest(folder), remove);
});
