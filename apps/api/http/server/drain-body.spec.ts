import { describe, expect, it } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { yieldToEventLoop } from '../../../../libs/eventsourcing/scheduling/yield-to-event-loop.js';
import { drainBody } from './drain-body.js';

const settle = async (): Promise<void> => {
  for (let turns = 0; turns < 5; turns++) await yieldToEventLoop();
};

describe('a response to a rejected body', () => {
  const startDraining = (limits?: { readonly bytes: number; readonly milliseconds: number }) => {
    const body = new PassThrough();
    const answered: string[] = [];
    const done = new Promise<void>((resolve) => drainBody(body, () => resolve(void answered.push('answer')), limits));
    return { body, answered, done };
  };

  it('is sent when the whole body has been received', async () => {
    const { body, answered, done } = startDraining();
    body.write('x'.repeat(1_048_576));
    await settle();
    expect(answered).toEqual([]);
    body.end('x'.repeat(1_048_576));
    await done;
    expect(body.readableLength).toBe(0);
  });

  it.each([
    ['the body exceeds the limit', { bytes: 10, milliseconds: 600_000 }],
    ['the body takes too long', { bytes: 1_000, milliseconds: 1 }],
  ])('is sent immediately if %s', async (_, limits) => {
    const { body, answered, done } = startDraining(limits);
    body.write('x'.repeat(100));
    await done;
    body.end();
    await settle();
    expect(answered).toEqual(['answer']);
  });

  it('is sent if the client closes the connection, or has already closed it', async () => {
    const gone = startDraining();
    gone.body.destroy();
    await gone.done;
    drainBody(gone.body, () => gone.answered.push('again'));
    expect(gone.answered).toEqual(['answer', 'again']);
  });
});
