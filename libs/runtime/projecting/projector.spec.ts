import { describe, expect, it } from '@jest/globals';
import type { StoredDocument } from '../../eventsourcing/ports/documents.port.js';
import type { Message, RecordedEvent } from '../../eventsourcing/message.js';
import { projection } from '../../eventsourcing/projection.js';
import { createProjector } from './projector.js';

type ThingEvent =
  Message<'Made', { kind: string }> | Message<'Renamed', { kind: string }> | Message<'Seen', null> | Message<'Broken', null>;
type Thing = { id: string; kind: string };

const things = projection<ThingEvent, Thing, { kind: string }>({
  name: 'things',
  version: 1,
  category: 'thing',
  fields: { kind: 'text' },
  indexes: [],
  cells: ['kind'],
  amount: () => 1,
  on: {
    Made: (_, { kind }, { stream }) => ({ body: { id: stream, kind }, fields: { kind } }),
    Renamed: (doc, { kind }) => doc && { body: { ...doc.body, kind }, fields: { kind } },
    Seen: 'ignore',
    Broken: () => {
      throw new Error('cannot apply this');
    },
  },
});

const projector = createProjector(things);
let position = 0;
const event = (stream: string, revision: number, type: ThingEvent['type'], data: unknown = null): RecordedEvent => ({
  id: `${stream}/${revision}`,
  position: ++position,
  type,
  data,
  meta: { stream, revision, tenant: 'shared', time: '2026-01-02T03:04:05.678Z', actor: 'test', correlationId: 'c', causationId: 'c' },
});
const stored = (key: string, kind: string, revision: number): StoredDocument => ({
  key,
  json: JSON.stringify({ id: `thing-${key}`, kind }),
  fields: { kind },
  revision,
});
const nothing = () => null;
const none = () => false;
const put = (document: StoredDocument) => ({ kind: 'put', collection: things.collection, document });
const increment = (kind: string, by: number) => ({ kind: 'increment', collection: things.collection, cell: [kind], by });

describe('a projector', () => {
  it('folds a stream’s events into one write, and counts the resulting document', () => {
    const run = projector.project(
      [event('thing-1', 0, 'Made', { kind: 'a' }), event('thing-1', 1, 'Renamed', { kind: 'b' })],
      nothing,
      none,
    );
    expect(run).toEqual({ writes: [put(stored('1', 'b', 1)), increment('b', 1)], parked: [] });
  });

  it('moves the count of a document from one cell to another', () => {
    const run = projector.project([event('thing-1', 1, 'Renamed', { kind: 'b' })], () => stored('1', 'a', 0), none);
    expect(run.writes).toEqual([put(stored('1', 'b', 1)), increment('a', -1), increment('b', 1)]);
  });

  it('skips revisions that the document already contains', () => {
    const run = projector.project([event('thing-1', 1, 'Renamed', { kind: 'b' })], () => stored('1', 'b', 1), none);
    expect(run.writes).toEqual([]);
  });

  it('skips ignored events and other categories', () => {
    const run = projector.project([event('thing-1', 3, 'Seen'), event('other-1', 0, 'Made', { kind: 'a' })], nothing, none);
    expect(run).toEqual({ writes: [], parked: [] });
  });

  it('parks a stream at the event whose handler throws, keeps earlier changes and continues with other streams', () => {
    const events = [
      event('thing-1', 0, 'Made', { kind: 'a' }),
      event('thing-1', 1, 'Broken'),
      event('thing-2', 0, 'Made', { kind: 'a' }),
      event('thing-1', 2, 'Renamed', { kind: 'c' }),
    ];
    const run = projector.project(events, nothing, none);
    expect(run.parked).toEqual([{ stream: 'thing-1', revision: 1, position: events[1]?.position, reason: 'cannot apply this' }]);
    expect(run.writes).toEqual([put(stored('1', 'a', 0)), put(stored('2', 'a', 0)), increment('a', 2)]);
  });

  it('parks a stream with an unknown event type', () => {
    const unknown = event('thing-1', 0, 'Unknown' as ThingEvent['type']);
    expect(projector.project([unknown], nothing, none).parked).toMatchObject([
      { stream: 'thing-1', reason: 'projection things does not know Unknown' },
    ]);
  });

  it('skips parked streams', () => {
    const run = projector.project([event('thing-1', 2, 'Renamed', { kind: 'c' })], nothing, (stream) => stream === 'thing-1');
    expect(run).toEqual({ writes: [], parked: [] });
  });
});
