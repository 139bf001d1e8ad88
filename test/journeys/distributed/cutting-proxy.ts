import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

const HOST = '127.0.0.1';

/** A proxy in front of a server. At random, it closes connections when the server responds. */
export type ConnectionCuttingProxy = {
  /** The server's URL through this proxy. */
  readonly url: string;
  /** Returns the number of responses that were cut off. */
  cuts(): number;
  /** Sets the probability that a response is cut off. It is 0 at first. */
  setChance(chance: number): void;
  close(): Promise<void>;
};

/** Starts a proxy in front of the server at `server`, a URL of the form `esdb://127.0.0.1:PORT`. */
const startCuttingProxy = async (server: string, random: () => number): Promise<ConnectionCuttingProxy> => {
  const { port: target } = new URL(server);
  const sockets = new Set<Socket>();
  let [chance, cuts] = [0, 0];

  const forward = (client: Socket): void => {
    const upstream = connect({ host: HOST, port: Number(target) });
    const ends = [client.setNoDelay(), upstream.setNoDelay()];
    const cut = (): void => ends.forEach((end) => end.destroy());
    for (const end of ends) {
      sockets.add(end);
      end.on('error', cut).once('close', () => void (sockets.delete(end), cut()));
    }
    client.on('data', (bytes) => void upstream.write(bytes));
    upstream.on('data', (bytes) => {
      // The server responds after it has committed, so a cut here loses only the response.
      if (random() >= chance) return void client.write(bytes);
      cuts++;
      cut();
    });
  };

  const listener = createServer(forward);
  await once(listener.listen(0, HOST), 'listening');
  const { port } = listener.address() as AddressInfo;
  return {
    url: server.replace(`:${target}`, `:${port}`),
    cuts: () => cuts,
    setChance: (wanted) => void (chance = wanted),
    async close() {
      const closed = once(listener, 'close');
      listener.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
};

/** Returns functions that start, return and close a proxy in front of the event store of a cluster. */
export const proxyBeforeEventStore = (random: () => number) => {
  let started: ConnectionCuttingProxy | null = null;
  return {
    /** Returns the URL through the proxy. */
    start: async (server: string): Promise<string> => (started = await startCuttingProxy(server, random)).url,
    proxy(): ConnectionCuttingProxy {
      if (!started) throw new Error('the proxy is not started');
      return started;
    },
    close: async (): Promise<void> => started?.close(),
  };
};
