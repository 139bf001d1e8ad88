import type { EmbeddedStore } from '../../apps/petstore/composition/embedded/embedded.js';
import { Numbers } from '../../libs/application/numbers/numbers.js';
import { CreateUserHandler } from '../../libs/application/users/create-user.handler.js';
import { Aggregates } from '../../libs/eventsourcing/handle.js';

/** Creates the handler that registers accounts in a store. `replaced` are ports that a test observes or delays. */
export const registering = (
  store: EmbeddedStore,
  aggregates = new Aggregates(store.store, store.codec),
  replaced: Partial<Pick<EmbeddedStore, 'documents' | 'identities'>> = {},
): CreateUserHandler => {
  const { identities, documents, passwords, keys, codec, clock } = { ...store, ...replaced };
  return new CreateUserHandler(aggregates, identities, documents, passwords, keys, store.store, codec, clock, new Numbers(aggregates));
};
