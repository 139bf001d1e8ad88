import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { IncomingHttpHeaders, RequestListener } from 'node:http';
import type { Egress } from '../../libs/ports/egress.port.js';
import { failureOf, httpReceiver, requestTo, type Listening } from './egress.js';

/** An egress that finds this receiver behind http://hooks.example.com, and behind every other name no address; how often it connected; how to be rid of it. */
export type EgressUnderTest = { readonly egress: Egress; readonly close: () => Promise<void> };

type Heard = { readonly method?: string; readonly url?: string; readonly headers: IncomingHttpHeaders; readonly body: string };

/** What every Egress promises; what may not be connected to, and for how long, has its own specs. */
export const egressContract = (name: string, make: (receiverPort: number) => Promise<EgressUnderTest>): void => {
  describe(`${name} as a way out`, () => {
    let heard: Heard[];
    let answer: RequestListener;
    let receiver: Listening;
    let egress: Egress;
    let close: () => Promise<void>;
    beforeEach(async () => {
      heard = [];
      answer = (_, response) => response.end();
      receiver = await httpReceiver((request, response) => {
        const chunks: Buffer[] = [];
        request.on('data', (chunk: Buffer) => chunks.push(chunk));
        request.on('end', () => {
          const { method, url, headers } = request;
          heard.push({ headers, body: Buffer.concat(chunks).toString(), ...(method && { method }), ...(url && { url }) });
          answer(request, response);
        });
      });
      ({ egress, close } = await make(receiver.port));
    });
    afterEach(async () => {
      await close();
      await receiver.close();
    });
    const post = (path = '/') => egress.post(requestTo(`http://hooks.example.com${path}`));

    it('posts the very body, with the headers it was given', async () => {
      await post('/events?from=petstore&x=%20#part');
      expect(heard).toEqual([
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

    it.each([200, 204, 400, 404, 410, 429, 500, 503])('answers a %d as it is', async (status) => {
      answer = (_, response) => response.writeHead(status, { 'Retry-After': '7', 'X-Twice': ['a', 'b'] }).end();
      expect(await post()).toMatchObject({ status, headers: { 'retry-after': '7', 'x-twice': 'a, b' }, body: '' });
    });

    it.each([301, 302, 303, 307, 308])('follows no redirect: a %d is the answer', async (status) => {
      answer = (_, response) => response.writeHead(status, { location: `http://127.0.0.1:${receiver.port}/inside` }).end('moved');
      expect(await post()).toMatchObject({ status, body: 'moved' });
      expect(receiver.connections()).toBe(1);
      expect(heard).toHaveLength(1);
    });

    it('tells the first 2 KiB of the body, and no half character', async () => {
      answer = (_, response) => response.end(`x${'ö'.repeat(3_000)}`);
      expect((await post()).body).toBe(`x${'ö'.repeat(1_023)}`);
    });

    it('connects anew for every post', async () => {
      answer = (_, response) => response.writeHead(200, { connection: 'keep-alive' }).end();
      await post();
      await post();
      expect(receiver.connections()).toBe(2);
    });

    it('says that a name stands for nothing', async () => {
      expect(egress.objectionTo('https://nothing.example.com')).toBeNull();
      expect((await failureOf(egress.post(requestTo('https://nothing.example.com')))).fault).toBe('unknown_host');
    });

    it.each(['Host', 'content-length', 'Transfer-Encoding', 'connection', 'Proxy-Authorization', 'ex pect', 'a\r\nb', ''])(
      'sends no header named %j for its caller',
      async (header) => {
        const request = requestTo('http://hooks.example.com', { headers: { [header]: '1' } });
        expect((await failureOf(egress.post(request))).fault).toBe('malformed_request');
        expect(receiver.connections()).toBe(0);
      },
    );

    it.each(['a\r\nx-smuggled: 1', 'a\nb', '\u0000', 'snow \u2603'])('sends no header value %j', async (value) => {
      const request = requestTo('http://hooks.example.com', { headers: { 'webhook-id': value } });
      expect((await failureOf(egress.post(request))).fault).toBe('malformed_request');
      expect(receiver.connections()).toBe(0);
    });
  });
};
