import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createRequire } from 'node:module';
import { connectTo } from './connection.js';

type Queue = {
  readonly pending: unknown[];
  throttledUntil: number;
  readonly throttleCheckTimeoutId: NodeJS.Timeout | null;
  checkPendingRequests(): void;
  scheduleCheckPendingRequests(): void;
  fulfillRequest(response: object): void;
  destroy(): void;
};

const require = createRequire(import.meta.url);
const RequestQueue = require('kafkajs/src/network/requestQueue/index.js') as new (options: object) => Queue;

const logger = { debug: () => undefined, warn: () => undefined };

describe('a connection to a broker', () => {
  let queue: Queue | undefined;
  afterEach(() => {
    if (queue?.throttleCheckTimeoutId) clearTimeout(queue.throttleCheckTimeoutId);
  });
  const openQueue = (): Queue => {
    connectTo({ brokers: ['127.0.0.1:9092'], clientId: 'petstore' });
    queue = new RequestQueue({ requestTimeout: 1_000, clientId: 'petstore', broker: 'b', isConnected: () => true, logger });
    return queue;
  };

  it('is not polled while no request is pending', () => {
    const idle = openQueue();
    idle.checkPendingRequests();
    expect(idle.throttleCheckTimeoutId).toBeNull();
  });

  it('does not keep the process alive when a response arrives after it was closed', () => {
    const closed = openQueue();
    closed.destroy();
    closed.fulfillRequest({ correlationId: 1, payload: null, size: 0 });
    expect(closed.throttleCheckTimeoutId).toBeNull();
  });

  it('sets no timer with a negative delay, because Node would print a warning between the lines of the log', () => {
    const setTimer = jest.spyOn(globalThis, 'setTimeout');
    const queue = openQueue();
    queue.throttledUntil = Date.now() - 1;
    queue.scheduleCheckPendingRequests();
    queue.pending.push({});
    queue.scheduleCheckPendingRequests();
    const [wait, ...others] = setTimer.mock.calls.map(([, milliseconds]) => milliseconds);
    setTimer.mockRestore();
    expect(others).toEqual([]);
    expect(wait).toBeGreaterThan(0);
  });

  it('is polled while the broker throttles a pending request', () => {
    const throttled = openQueue();
    throttled.throttledUntil = Date.now() + 60_000;
    throttled.pending.push({});
    throttled.checkPendingRequests();
    expect(throttled.throttleCheckTimeoutId).not.toBeNull();
  });
});
