import { eventStoreContract } from '../../contract/event-store.contract.js';
import { directLink } from '../link.js';
import { LogServer, simulatedEventStore } from './simulated-event-store.js';

eventStoreContract('the simulated adapter', async () => ({
  store: simulatedEventStore(new LogServer(), directLink),
  close: () => Promise.resolve(),
}));
