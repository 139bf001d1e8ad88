import { connect } from 'node:net';

/** Sends all requests at once on one connection, and returns everything that the server sends. */
export const pipelined = (url: string, requests: readonly string[]): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(requests.join('')));
    let text = '';
    socket.setEncoding('utf8').on('error', reject);
    socket.on('data', (chunk: string) => {
      text += chunk;
      if (statusesOf(text).length < requests.length) return;
      socket.destroy();
      resolve(text);
    });
  });

/** Returns the statuses of the responses in the text, in order. */
export const statusesOf = (text: string): readonly number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
