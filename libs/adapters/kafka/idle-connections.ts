// @ts-expect-error -- kafkajs declares no types for its parts
import ItsRequestQueue from 'kafkajs/src/network/requestQueue/index.js';

type RequestQueue = { readonly pending: readonly unknown[]; scheduleCheckPendingRequests(): void };

const { prototype } = ItsRequestQueue as { readonly prototype: RequestQueue };
// eslint-disable-next-line @typescript-eslint/unbound-method -- it is called with the queue it is for
const { scheduleCheckPendingRequests } = prototype;

/**
 * Lets a connection on which nothing waits to be sent rest. kafkajs 2.2.4 looks at it every millisecond, for as long as it is
 * open: 25 connections of an idle worker wake it 900 times a second (kafkajs, issue 1704; the fix was never released). What
 * does wait is looked at as before.
 */
export const restWhenIdle = (): void => {
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.pending.length > 0) scheduleCheckPendingRequests.call(this);
  };
};
