import { request, type ClientRequest } from 'node:http';
import { once } from 'node:events';

/** A request that the service has accepted before its body is sent. */
export type HeldRequest = {
  /** Sends the body and returns the status. */
  finish(): Promise<number>;
};

/**
 * Sends the headers of a request and waits for "100 Continue". After that response, the service has accepted the
 * request, but cannot respond to it before it receives the body.
 */
export const holdRequest = async (url: string, path: string, token: string, body: object): Promise<HeldRequest> => {
  const bytes = Buffer.from(JSON.stringify(body));
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': bytes.length,
    expect: '100-continue',
  };
  const outgoing = request(new URL(path, url), { method: 'POST', headers, agent: false });
  outgoing.flushHeaders();
  await once(outgoing, 'continue');
  return { finish: () => finish(outgoing, bytes) };
};

const finish = (outgoing: ClientRequest, bytes: Buffer): Promise<number> =>
  new Promise((resolve, reject) => {
    outgoing.once('error', reject);
    outgoing.once('response', (incoming) => {
      incoming.resume();
      incoming.once('end', () => resolve(incoming.statusCode ?? 0));
    });
    outgoing.end(bytes);
  });
