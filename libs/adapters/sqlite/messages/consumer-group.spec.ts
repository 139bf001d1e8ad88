import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import type { Consumer } from '../../../eventsourcing/ports/messages.port.js';
import { append, event, openForTest, temporaryFolder, type OpenForTest } from '../sqlite.fixtures.js';
import { yieldToEventLoop } from '../../../eventsourcing/scheduling/yield-to-event-loop.js';

describe('a durable subscription', () => {
  let folder: string;
  let remove: () => void;
  let store: OpenForTest;
  beforeEach(async () => {
    ({ folder, remove } = temporaryFolder());
    store = await openForTest(folder);
  });
  afterEach(async () => {
    await store.close();
    remove();
  });
  const consumer = (handle: Consumer['handle']): Consumer => ({ name: 'reader', types: new Set(['Made']), handle });
  const until = async (condition: () => boolean): Promise<void> => {
    while (!condition()) await yieldToEventLoop();
  };
  const waitUntilCaughtUp = async ({ messages } = store): Promise<void> => {
    while ((await messages.consumers())['reader']?.behind !== 0) await yieldToEventLoop();
  };

  it('handles a message five times, with increasing delays, before it parks the key of the message', async () => {
    let tries = 0;
    await store.messages.subscribe(
      consumer(async () => {
        tries++;
        throw new Error('no');
      }),
    );
    await append(store, 'thing-1', event('Made'));
    for (const [index, wait] of [50, 250, 1_000, 5_000].entries()) {
      await until(() => tries === index + 1);
      await yieldToEventLoop();
      store.clock.advance(wait - 1);
      await yieldToEventLoop();
      expect(tries).toBe(index + 1);
      store.clock.advance(1);
    }
    await waitUntilCaughtUp();
    expect(tries).toBe(5);
    expect(store.lines.filter(({ level }) => level === 'error').map(({ fields }) => fields)).toEqual([
      { consumer: 'reader', key: 'thing-1', revision: 0, type: 'Made', reason: 'no' },
    ]);
  });

  it('skips messages of types that its consumer does not currently handle', async () => {
    const handled: string[] = [];
    let currentTypes: readonly string[] = [];
    await store.messages.subscribe({
      ...consumer(async ({ key }) => void handled.push(key)),
      currentTypes: async () => new Set(currentTypes),
    });
    await append(store, 'thing-1', event('Made'));
    await waitUntilCaughtUp();
    currentTypes = ['Made'];
    await append(store, 'thing-2', event('Made'));
    await waitUntilCaughtUp();
    expect(handled).toEqual(['thing-2']);
  });

  it('retries a message without parking its key as long as the handler throws StoreUnavailable', async () => {
    let tries = 0;
    await store.messages.subscribe(
      consumer(async () => {
        if (++tries < 20) throw new StoreUnavailable('full');
      }),
    );
    await append(store, 'thing-1', event('Made'));
    for (let expected = 1; expected < 20; expected++) {
      await until(() => tries === expected);
      await yieldToEventLoop();
      store.clock.advance(5_000);
    }
    await waitUntilCaughtUp();
    expect(await store.messages.consumers()).toEqual({ reader: { behind: 0, parked: 0 } });
  });

  it('handles messages of at most 64 keys at a time', async () => {
    let [inProgress, most] = [0, 0];
    await store.messages.subscribe(
      consumer(async () => {
        most = Math.max(most, ++inProgress);
        await yieldToEventLoop();
        inProgress--;
      }),
    );
    await Promise.all(Array.from({ length: 300 }, (_, index) => store.events.append(`thing-${index}`, 'none', [event('Made')])));
    await waitUntilCaughtUp();
    expect(most).toBe(64);
  });

  it('stores its position with the next commit of the log, or after a second in a commit of its own', async () => {
    const redeliveriesAfterKill = async (): Promise<number> => {
      const seen: number[] = [];
      execFileSync('cp', ['-r', folder, `${folder}-killed`]);
      const killed = await openForTest(`${folder}-killed`);
      await killed.messages.subscribe(consumer(async ({ revision }) => void seen.push(revision)));
      await waitUntilCaughtUp(killed);
      await killed.close();
      execFileSync('rm', ['-r', `${folder}-killed`]);
      return seen.length;
    };
    await store.messages.subscribe(consumer(async () => undefined));
    await append(store, 'thing-1', event('Made'));
    await waitUntilCaughtUp();
    expect(await redeliveriesAfterKill()).toBe(1);
    await append(store, 'thing-1', event('Made'));
    await waitUntilCaughtUp();
    expect(await redeliveriesAfterKill()).toBe(1);
    store.clock.advance(1_000);
    while ((await redeliveriesAfterKill()) > 0) await yieldToEventLoop();
  });

  it('never stores a position beyond a message that has not been handled', async () => {
    const done: string[] = [];
    const subscription = await store.messages.subscribe(
      consumer(async ({ stream }) => {
        if (stream === 'sick-1') throw new Error('not yet');
        done.push(stream);
      }),
    );
    await append(store, 'sick-1', event('Made'));
    for (let index = 0; index < 5; index++) await append(store, `thing-${index}`, event('Made'));
    await until(() => done.length === 5);
    await subscription.stop();
    const again: string[] = [];
    await store.messages.subscribe(consumer(async ({ stream }) => void again.push(stream)));
    await waitUntilCaughtUp();
    expect(again[0]).toBe('sick-1');
  });

  it('rejects a second consumer with the same name and other message types', async () => {
    await store.messages.subscribe(consumer(async () => undefined));
    await expect(store.messages.subscribe({ ...consumer(async () => undefined), types: new Set(['Changed']) })).rejects.toThrow('reader');
  });
});
