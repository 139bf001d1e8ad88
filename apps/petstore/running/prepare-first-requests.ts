import { advise } from '../../../libs/advisor/advise.js';
import { PETS } from '../../../libs/application/aggregates.js';
import { SHARED_POOL } from '../../../libs/eventsourcing/message.js';
import type { Documents } from '../../../libs/eventsourcing/ports/documents.port.js';
import { reasonOf } from '../../../libs/eventsourcing/reason.js';
import type { Log } from '../../../libs/eventsourcing/ports/log.port.js';
import { ChatRequest } from '../../api/chat/chat.dto.js';
import { fastPathOf } from '../../api/http/validation/fast-path.js';

/** Does what the first search and the first chat would otherwise do. Resolves before the index of searches is made. */
export const prepareFirstRequests = async (documents: Documents, log: Log): Promise<void> => {
  prepareSearches(documents, log);
  await prepareChats();
};

/** Starts to make the index of the catalog, which takes seconds for a million pets. */
const prepareSearches = (documents: Documents, log: Log): void =>
  void documents
    .page(PETS.projection.collection, { where: { tenant: SHARED_POOL }, sort: ['-createdAt'], limit: 1, offset: 0 })
    .catch((error: unknown) => log.warn({ reason: reasonOf(error) }, 'the index of searches will be made by the first search'));

/**
 * Compiles the validation of a chat and the patterns of the advisor. The first chat would delay all other requests by that time,
 * so this function ends before the service listens.
 */
const prepareChats = async (): Promise<void> => {
  fastPathOf(ChatRequest)(undefined);
  const messages = [{ role: 'USER', content: 'Do you have a small calm dog for kids, or a cat?' }] as const;
  await advise(
    { messages, model: 'PET_ADVISOR_1', temperature: 0, seed: 0 },
    { available: async () => ({ pets: [], total: 0 }), named: async () => [] },
  );
};
