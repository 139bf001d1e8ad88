// @ts-expect-error -- kafkajs declares no types for its internal modules
import KafkaConnection from 'kafkajs/src/network/connection.js';

type Connection = { connect(): Promise<boolean>; disconnect(): Promise<boolean> };

const { prototype } = KafkaConnection as { readonly prototype: Connection };
// oxlint-disable-next-line typescript/unbound-method -- it is called with a connection as `this`
const { connect, disconnect } = prototype;
const connecting = new WeakMap<Connection, Promise<boolean>>();

/**
 * Lets calls that connect at the same time share one socket. In kafkajs 2.2.4, each opens a socket of its own, and only the last one is
 * ever used and closed. Each other one keeps the process alive until the broker closes it, after ten minutes.
 */
export const shareConnects = (): void => {
  prototype.connect = function (this: Connection) {
    const shared = connecting.get(this) ?? connect.call(this).finally(() => connecting.delete(this));
    connecting.set(this, shared);
    return shared;
  };
  prototype.disconnect = function (this: Connection) {
    // The socket is closed, so a later call needs another one.
    connecting.delete(this);
    return disconnect.call(this);
  };
};
