import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { uuidV5 } from '../../../libs/deliveries/uuid-v5.js';
import { webhookContracts } from '../../../libs/contracts/webhooks.js';
import type { StoredEvent } from '../../../libs/eventsourcing/ports/event-store.port.js';
import type { Call } from '../../servers/calling.js';
import { openReceiver } from '../../servers/receiver.js';

/**
 * The URL of the endpoint. In production the service sends only to public addresses and, if EGRESS_PROXY is set, only through
 * that proxy. The proxy of the drills connects every request to the receiver, whatever address it names.
 */
const ADDRESS = 'http://93.184.215.14:8080/drills';
/** The event types of the endpoint. The orders and failed payments of the load cause these events. */
const EVENTS = ['order.statusChanged', 'payment.failed'];

/** A receiver of webhooks behind a proxy. */
export type WebhookReceiver = {
  /** The port of the proxy. */
  readonly port: number;
  /** Returns how often each webhook id was received. */
  received(): ReadonlyMap<string, number>;
  /** Registers the endpoint. Later events are delivered to it. */
  register(call: Call): Promise<void>;
  /** Returns the ids of the webhooks that the service must send for the events after the registration. */
  expected(events: readonly StoredEvent[]): readonly string[];
  close(): Promise<void>;
};

/** Opens the receiver, and a proxy in front of it that listens on a port. */
export const openWebhookReceiver = async (port: number, host: string): Promise<WebhookReceiver> => {
  const receiver = await openReceiver();
  const target = Number(new URL(receiver.url).port);
  const proxy = createServer();
  const sockets = new Set<Duplex>();
  proxy.on('connect', (_, socket) => {
    const upstream = connect({ host: '127.0.0.1', port: target });
    sockets.add(socket);
    const cut = (): void => [socket, upstream].forEach((end) => end.destroy());
    for (const end of [socket, upstream]) end.on('error', cut).once('close', cut);
    upstream.once('connect', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(upstream).pipe(socket);
    });
  });
  await once(proxy.listen(port, host), 'listening');
  let webhookId = '';
  return {
    port: (proxy.address() as AddressInfo).port,
    received() {
      const ids = receiver.received.map(({ headers }) => String(headers['webhook-id']));
      return new Map([...Map.groupBy(ids, (id) => id)].map(([id, all]) => [id, all.length]));
    },
    async register(call) {
      const { status, json, text } = await call('POST', '/v1/webhooks', {
        body: { url: ADDRESS, events: EVENTS },
        idempotencyKey: 'drills-webhook',
      });
      if (status !== 201) throw new Error(`the webhook endpoint was not registered: ${status} ${text}`);
      webhookId = String(json['id']);
    },
    expected(events) {
      const registered = events.find(({ stream }) => stream === `webhook-${webhookId}`)?.position ?? Infinity;
      const subscribed = webhookContracts.filter(({ eventType }) => EVENTS.includes(eventType));
      return events
        .filter(({ position }) => position > registered)
        .flatMap(({ id, type }) =>
          subscribed.filter(({ from }) => from.some((name) => name === type)).map(({ eventType }) => uuidV5(id, eventType)),
        );
    },
    async close() {
      proxy.close();
      for (const socket of sockets) socket.destroy();
      await receiver.close();
    },
  };
};
