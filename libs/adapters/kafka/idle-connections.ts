// @ts-expect-error -- kafkajs declares no types for its parts
import KafkaRequestQueue from 'kafkajs/src/network/requestQueue/index.js';

type RequestQueue = { readonly pending: readonly unknown[]; scheduleCheckPendingRequests(): void };

const { prototype } = KafkaRequestQueue as { readonly prototype: RequestQueue };
// eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with the queue it is for
const { scheduleCheckPendingRequests } = prototype;

/**
 * Stops the polling of connections without pending requests. kafkajs 2.2.4 polls each open connection every
 * millisecond: 25 connections of an idle worker wake it 900 times a second (kafkajs, issue 1704; the fix was
 * never released). Connections with pending requests are polled as before.
 */
export const stopIdlePolling = (): void => {
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.pending.length > 0) scheduleCheckPendingRequests.call(this);
  };
};
