import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

const HOST = '127.0.0.1';

/** Stands between processes and a server, and breaks their connections while an answer is on its way. */
export type CuttingProxy = {
  /** The url of the server it was made for, by way of this proxy. */
  readonly url: string;
  /** How many answers were cut off. */
  cuts(): number;
  /** From now on each answer is cut off with this chance, 0 at first. */
  cutWith(chance: number): void;
  close(): Promise<void>;
};

/** Begins to stand before the server of an `esdb://127.0.0.1:PORT` url. */
const startCuttingProxy = async (server: string, random: () => number): Promise<CuttingProxy> => {
  const { port: target } = new URL(server);
  const sockets = new Set<Socket>();
  let [chance, cuts] = [0, 0];

  const join = (client: Socket): void => {
    const upstream = connect({ host: HOST, port: Number(target) });
    const ends = [client.setNoDelay(), upstream.setNoDelay()];
    const cut = (): void => ends.forEach((end) => end.destroy());
    for (const end of ends) {
      sockets.add(end);
      end.on('error', cut).once('close', () => void (sockets.delete(end), cut()));
    }
    client.on('data', (bytes) => void upstream.write(bytes));
    upstream.on('data', (bytes) => {
      // The server has done what it was asked for, and says so, and nobody hears it.
      if (random() >= chance) return void client.write(bytes);
      cuts++;
      cut();
    });
  };

  const listener = createServer(join);
  await once(listener.listen(0, HOST), 'listening');
  const { port } = listener.address() as AddressInfo;
  return {
    url: server.replace(`:${target}`, `:${port}`),
    cuts: () => cuts,
    cutWith: (wanted) => void (chance = wanted),
    async close() {
      const closed = once(listener, 'close');
      listener.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
};

/** A proxy to be put before a cluster's event store as it starts; where no cluster can be started there is none. */
export const proxyBeforeEventStore = (random: () => number) => {
  let started: CuttingProxy | null = null;
  return {
    /** Answers the url by way of the proxy. */
    start: async (server: string): Promise<string> => (started = await startCuttingProxy(server, random)).url,
    proxy(): CuttingProxy {
      if (!started) throw new Error('nothing stands before the event store');
      return started;
    },
    close: async (): Promise<void> => started?.close(),
  };
};
