import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import type { Egress } from '../../libs/ports/egress.port.js';
import { failureOf, httpReceiver, requestTo, type TestServer } from './egress.js';

/** An egress that can resolve only the name hooks.example.com, to the receiver's address, and a function that closes it. */
export type EgressUnderTest = { readonly egress: Egress; readonly close: () => Promise<void> };

type ReceivedRequest = { readonly method?: string; readonly url?: string; readonly headers: IncomingHttpHeaders; readonly body: string };

/** The contract of Egress. It proves contract 20.3. Other specs test forbidden addresses and time limits. */
export const egressContract = (name: string, make: (receiverPort: number) => Promise<EgressUnderTest>): void => {
  describe(`${name} as egress`, () => {
    let received: ReceivedRequest[];
    let listener: RequestListener;
    let receiver: TestServer;
    let egress: Egress;
    let close: () => Promise<void>;
    beforeEach(async () => {
      received = [];
      listener = (_, response) => response.end();
      receiver = await httpReceiver((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          const { method, url, headers } = request;
          received.push({ headers, body: Buffer.concat(chunks).toString(), ...(method && { method }), ...(url && { url }) });
          listener(request, response);
        });
      });
      ({ egress, close } = await make(receiver.port));
    });
    afterEach(async () => {
      await close();
      await receiver.close();
    });
    const post = (path = '/') => egress.post(requestTo(`http://hooks.example.com${path}`));

    it('posts the exact body and the given headers', async () => {
      await post('/events?from=petstore&x=%20#part');
      expect(received).toEqual([
        {
          method: 'POST',
          url: '/events?from=petstore&x=%20',
          body: '{"hello":"wörld"}',
          headers: {
            'content-type': 'application/json',
            'webhook-id': 'a',
            host: 'hooks.example.com',
            'accept-encoding': 'identity',
            'content-length': '18',
            connection: 'close',
          },
        },
      ]);
    });

    it.each([200, 204, 400, 404, 410, 429, 500, 503])('returns a %d unchanged', async (status) => {
      listener = (_, response) => response.writeHead(status, { 'Retry-After': '7', 'X-Twice': ['a', 'b'] }).end();
      expect(await post()).toMatchObject({ status, headers: { 'retry-after': '7', 'x-twice': 'a, b' }, body: '' });
    });

    it.each([301, 302, 303, 307, 308])('returns a %d and does not follow it', async (status) => {
      listener = (_, response) => response.writeHead(status, { location: `http://127.0.0.1:${receiver.port}/inside` }).end('moved');
      expect(await post()).toMatchObject({ status, body: 'moved' });
      expect(receiver.connections()).toBe(1);
      expect(received).toHaveLength(1);
    });

    it('returns the first 2 KiB of the body, cut between characters', async () => {
      listener = (_, response) => response.end(`x${'ö'.repeat(3_000)}`);
      expect((await post()).body).toBe(`x${'ö'.repeat(1_023)}`);
    });

    it('opens a new connection for every post', async () => {
      listener = (_, response) => response.writeHead(200, { connection: 'keep-alive' }).end();
      await post();
      await post();
      expect(receiver.connections()).toBe(2);
    });

    it('fails with unknown_host when a name has no address', async () => {
      expect(egress.validateUrl('https://nothing.example.com')).toBeNull();
      expect((await failureOf(egress.post(requestTo('https://nothing.example.com')))).fault).toBe('unknown_host');
    });

    it.each(['Host', 'content-length', 'Transfer-Encoding', 'connection', 'Proxy-Authorization', 'ex pect', 'a\r\nb', ''])(
      'rejects a header named %j',
      async (header) => {
        const request = requestTo('http://hooks.example.com', { headers: { [header]: '1' } });
        expect((await failureOf(egress.post(request))).fault).toBe('malformed_request');
        expect(receiver.connections()).toBe(0);
      },
    );

    it.each(['a\r\nx-smuggled: 1', 'a\nb', '\u0000', 'snow \u2603'])('rejects the header value %j', async (value) => {
      const request = requestTo('http://hooks.example.com', { headers: { 'webhook-id': value } });
      expect((await failureOf(egress.post(request))).fault).toBe('malformed_request');
      expect(receiver.connections()).toBe(0);
    });
  });
};
