import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { StoredEvent } from '../../eventsourcing/ports/event-store.port.js';
import type { EventCodec } from '../../eventsourcing/event-codec.js';
import { BrokenHistory } from '../../eventsourcing/history.js';
import type { RecordedEvent } from '../../eventsourcing/message.js';
import { decodeTestEvent, advanceBy, trustingCodec } from '../following/following.fixtures.js';
import { recordFaults } from '../projecting/stream-faults.js';
import { RelayUnderTest } from './relay.fixtures.js';

describe('a relay with a broken stream', () => {
  let under: RelayUnderTest;
  beforeEach(() => void (under = new RelayUnderTest()));
  afterEach(() => under.close());

  let broken: string | null;
  const decode = (event: StoredEvent): RecordedEvent => {
    const { stream, revision } = event;
    if (event.id === broken) throw new BrokenHistory({ stream, revision, kind: 'altered', reason: 'altered', tenant: null });
    return decodeTestEvent(event);
  };
  const codec = () => recordFaults({ ...trustingCodec, decode } as EventCodec, under.faults);

  it('parks the stream, continues with the others, and publishes its waiting events in order once it is intact', async () => {
    under.log.add('thing-1', 'thing-2', 'thing-1', 'thing-1');
    broken = 'event-3';
    under.start({ codec: codec() });
    await under.until(() => under.stored === 4);
    under.log.add('thing-2', 'thing-1');
    await under.until(() => under.stored === 6);
    expect(under.all()).toEqual(['thing-1/1', 'thing-2/1', 'thing-2/2']);
    expect([under.parked, under.waiting.size]).toEqual([['thing-1/1'], 1]);
    expect(under.faults.of('thing-1')).toMatchObject({ revision: 1 });
    broken = null;
    await under.faults.clear('thing-1');
    await advanceBy(under.clock, 60_000);
    await under.until(() => under.waiting.size === 0);
    under.log.add('thing-1');
    await under.until(() => under.stored === 7);
    expect(under.all().slice(3)).toEqual(['thing-1/2', 'thing-1/3', 'thing-1/4', 'thing-1/5']);
  });

  it('reads the parked streams when another process takes over', async () => {
    under.log.add('thing-1', 'thing-1', 'thing-2');
    broken = 'event-2';
    const first = under.start({ codec: codec() });
    await under.until(() => under.stored === 3);
    await first.stop();
    under.log.add('thing-1');
    broken = null;
    under.start({ codec: codec() });
    await under.until(() => under.stored === 4);
    expect(under.all()).toEqual(['thing-1/1', 'thing-2/1']);
    await under.faults.clear('thing-1');
    await advanceBy(under.clock, 60_000);
    await under.until(() => under.waiting.size === 0);
    expect(under.all().slice(2)).toEqual(['thing-1/2', 'thing-1/3']);
  });

  it('skips a stream that other readers found broken', async () => {
    broken = null;
    under.log.add('thing-1', 'thing-2');
    under.faults.record({ stream: 'thing-1', revision: 5, kind: 'altered', reason: 'event 5 of thing-1 is missing', tenant: null });
    under.start({ codec: codec() });
    await under.until(() => under.stored === 2);
    expect([under.all(), under.parked]).toEqual([['thing-2/1'], ['thing-1/0']]);
  });
});
