import { PETS } from '../../../libs/application/aggregates.js';
import { SHARED_POOL } from '../../../libs/eventsourcing/message.js';
import type { Documents } from '../../../libs/eventsourcing/ports/documents.port.js';
import { reasonOf } from '../../../libs/eventsourcing/reason.js';
import type { Log } from '../../../libs/eventsourcing/ports/log.port.js';

/** Starts to make the index of the catalog, which takes seconds for a million pets. Otherwise the first search would start it. */
export const prepareSearches = (documents: Documents, log: Log): void =>
  void documents
    .count(PETS.projection.collection, { tenant: SHARED_POOL })
    .catch((error: unknown) => log.warn({ reason: reasonOf(error) }, 'the index of searches will be made by the first search'));
