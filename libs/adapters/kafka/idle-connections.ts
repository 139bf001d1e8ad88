// @ts-expect-error -- kafkajs declares no types for its internal modules
import KafkaRequestQueue from 'kafkajs/src/network/requestQueue/index.js';

type RequestQueue = { readonly pending: readonly unknown[]; scheduleCheckPendingRequests(): void };

const { prototype } = KafkaRequestQueue as { readonly prototype: RequestQueue };
// oxlint-disable-next-line typescript/unbound-method -- it is called with a queue as `this`
const { scheduleCheckPendingRequests } = prototype;

/**
 * Makes kafkajs poll only connections with pending requests. kafkajs 2.2.4 polls every open connection each millisecond. An
 * idle worker with 25 connections woke 900 times a second. The fix of kafkajs issue 1704 was never released.
 */
export const stopIdlePolling = (): void => {
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.pending.length > 0) scheduleCheckPendingRequests.call(this);
  };
};
