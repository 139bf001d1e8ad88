import type { Collection, Documents, DocumentWrite } from '../eventsourcing/documents.port.js';
import type { ParkedStream } from '../eventsourcing/projection.js';

/** The streams that projections could not take, kept beside the documents they are missing from. */
export const PARKED_STREAMS: Collection = {
  name: 'parked_streams',
  version: 1,
  fields: { projection: 'text', stream: 'text' },
  indexes: [['projection', 'stream']],
  cells: [],
};

/** Far more than anyone can look after. */
const MOST = 100_000;

const keyOf = (projection: string, stream: string): string => `${projection}/${stream}`;

/** To be written in the same step as the documents that the stream's earlier events made. */
export const park = (projection: string, { stream, revision, position, reason }: ParkedStream): DocumentWrite => {
  const json = JSON.stringify({ projection, stream, revision, position, reason });
  return {
    kind: 'put',
    collection: PARKED_STREAMS,
    document: { key: keyOf(projection, stream), json, revision, fields: { projection, stream } },
  };
};

/** To be written in the same step as what the stream was waiting for. */
export const unpark = (projection: string, stream: string): DocumentWrite => ({
  kind: 'delete',
  collection: PARKED_STREAMS,
  key: keyOf(projection, stream),
});

/** The streams that wait for a projection. */
export const parkedStreams = async (documents: Pick<Documents, 'texts'>, projection: string): Promise<readonly ParkedStream[]> => {
  const texts = await documents.texts(PARKED_STREAMS, { where: { projection }, sort: ['stream'], limit: MOST, offset: 0 });
  return texts.map((text) => JSON.parse(text) as ParkedStream);
};
