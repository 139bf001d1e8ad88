import type { Collection, Documents } from '../../../../libs/eventsourcing/ports/documents.port.js';

/** Wraps documents, so that every method that reads documents first calls `step`, and waits for the promise that it may return. */
export const beforeReads = (step: (collection: Collection) => Promise<void> | void, documents: Documents): Documents => {
  const after = <T>(collection: Collection, read: () => Promise<T>): Promise<T> => {
    const waiting = step(collection);
    return waiting ? waiting.then(read) : read();
  };
  return {
    prepare: (...args) => documents.prepare(...args),
    get: (collection, key) => after(collection, () => documents.get(collection, key)),
    find: (collection, find) => after(collection, () => documents.find(collection, find)),
    page: (collection, find) => after(collection, () => documents.page(collection, find)),
    texts: (collection, find) => after(collection, () => documents.texts(collection, find)),
    count: (collection, where) => after(collection, () => documents.count(collection, where)),
    sum: (collection, where, by) => after(collection, () => documents.sum(collection, where, by)),
    apply: (...args) => documents.apply(...args),
    use: (...args) => documents.use(...args),
    checkpoint: (...args) => documents.checkpoint(...args),
    clear: (...args) => documents.clear(...args),
  };
};
