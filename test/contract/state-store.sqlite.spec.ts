import { openForTest } from '../../libs/adapters/sqlite/sqlite.fixtures.js';
import { stateStoreContract } from './state-store.contract.js';

stateStoreContract('the embedded adapter', () => openForTest(':memory:'));
