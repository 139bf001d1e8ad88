import { describe, expect, it } from '@jest/globals';
import { StoreUnavailable } from '../../../libs/eventsourcing/ports/event-store.port.js';
import { serializeError } from './log.js';

describe('an error in the log', () => {
  it('has no stack if a server is unavailable, because the message says what failed', () =>
    expect(serializeError(new StoreUnavailable('Kafka is unavailable: no leader', { cause: new Error('no leader') }))).toEqual({
      type: 'StoreUnavailable',
      message: 'Kafka is unavailable: no leader',
    }));

  it('has its stack and the one of its cause otherwise', () =>
    expect(serializeError(new Error('a bug', { cause: new Error('deep') }))).toMatchObject({
      type: 'Error',
      stack: expect.stringMatching(/a bug\n +at [^]*caused by: Error: deep\n +at /),
    }));
});
