import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A receiver that sends any bytes as its response. */
export type RawReceiver = {
  readonly url: string;
  /** The received requests by path. */
  readonly requests: (path: string) => readonly string[];
  /** Sets the bytes that are the response at a path. Null closes the connection without a response. */
  readonly answer: (path: string, bytes: string | Uint8Array | null) => void;
  readonly close: () => Promise<void>;
};

/** Opens a receiver on a free port. The receiver closes each connection after the response. */
export const openRawReceiver = async (): Promise<RawReceiver> => {
  const answers = new Map<string, string | Uint8Array | null>();
  const requests = new Map<string, string[]>();
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      if (!isComplete(text)) return;
      const [, path = ''] = /^\S+ (\S+)/.exec(text) ?? [];
      requests.set(path, [...(requests.get(path) ?? []), text]);
      text = '';
      const answer = answers.get(path);
      if (answer === undefined || answer === null) socket.destroy();
      else socket.end(answer);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: (path) => requests.get(path) ?? [],
    answer: (path, bytes) => void answers.set(path, bytes),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

/** Returns whether a request has arrived with its whole body. */
const isComplete = (text: string): boolean => {
  const [head = '', body] = text.split('\r\n\r\n');
  const [, length = '0'] = /content-length: (\d+)/i.exec(head) ?? [];
  return body !== undefined && text.length - head.length - 4 >= Number(length);
};
