import type { Collection, Documents, DocumentWrite } from '../../eventsourcing/ports/documents.port.js';
import type { ParkedOfReader } from '../../eventsourcing/ports/parked.port.js';
import type { ParkedStream } from '../../eventsourcing/projection.js';

/**
 * The parked streams of all projections and of the relay, stored beside the read models. A reader of the log parks a stream
 * with an event that it cannot handle: the stream's later events wait, and other streams continue.
 */
export const PARKED_STREAMS: Collection = {
  name: 'parked_streams',
  version: 1,
  fields: { projection: 'text', stream: 'text' },
  indexes: [['projection', 'stream']],
  cells: [],
};

/** The maximum number of parked streams that are read. It is more than an operator could repair. */
const LIMIT = 100_000;

const keyOf = (projection: string, stream: string): string => `${projection}/${stream}`;

/**
 * Returns the write that parks a stream. Apply it in the transaction that writes the documents of the stream's earlier
 * events.
 */
export const parkWrite = (projection: string, { stream, revision, position, reason }: ParkedStream): DocumentWrite => {
  const json = JSON.stringify({ projection, stream, revision, position, reason });
  return {
    kind: 'put',
    collection: PARKED_STREAMS,
    document: { key: keyOf(projection, stream), json, revision, fields: { projection, stream } },
  };
};

/** Returns the write that releases a parked stream. Apply it in the transaction that writes the stream's document. */
export const unparkWrite = (projection: string, stream: string): DocumentWrite => ({
  kind: 'delete',
  collection: PARKED_STREAMS,
  key: keyOf(projection, stream),
});

/** Reads the parked streams of all projections and of the relay. */
export const readAllParkedStreams = async (documents: Pick<Documents, 'prepare' | 'texts'>): Promise<readonly ParkedOfReader[]> => {
  await documents.prepare(PARKED_STREAMS);
  const texts = await documents.texts(PARKED_STREAMS, { where: {}, sort: ['projection', 'stream'], limit: LIMIT, offset: 0 });
  return texts.map((text) => JSON.parse(text) as ParkedOfReader);
};

/** Reads the parked streams of a projection. */
export const readParkedStreams = async (documents: Pick<Documents, 'texts'>, projection: string): Promise<readonly ParkedStream[]> => {
  const texts = await documents.texts(PARKED_STREAMS, { where: { projection }, sort: ['stream'], limit: LIMIT, offset: 0 });
  return texts.map((text) => JSON.parse(text) as ParkedStream);
};
