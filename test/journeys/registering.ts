import type { EmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';
import { Numbers } from '../../libs/application/numbers/numbers.js';
import { createUser, type CreateUser } from '../../libs/application/users/user.commands.js';
import { Aggregates } from '../../libs/eventsourcing/aggregates.js';

/** Returns the function that registers accounts in a store. `replaced` are ports that a test observes or delays. */
export const registering =
  (
    store: EmbeddedStore,
    aggregates = new Aggregates(store.store, store.codec),
    replaced: Partial<Pick<EmbeddedStore, 'documents' | 'identities'>> = {},
  ) =>
  (command: CreateUser) =>
    createUser({ ...store, ...replaced, aggregates, numbers: new Numbers(aggregates) }, command);
