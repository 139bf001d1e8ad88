import { gzipSync } from 'node:zlib';
import { expect } from '@jest/globals';
import { eventually } from '../eventually.js';
import type { HttpResponse } from '../servers/client.js';
import { attack, type Attack, type Scene } from './owasp-attacks.js';
import { card } from './shop.js';

type Delivery = {
  readonly id: string;
  readonly status: string;
  readonly nextAttemptAt: string | null;
  readonly attempts: readonly {
    readonly status?: number;
    readonly fault?: string;
    readonly answer?: string;
    readonly durationMilliseconds: number;
  }[];
};

const DAY = 86_400_000;
const ATTEMPT_LIMIT = 15_000;
const response = (status: string, headers: string, body = ''): string => `HTTP/1.1 ${status}\r\n${headers}Connection: close\r\n\r\n${body}`;

/** Registers an endpoint at a path of the raw receiver, requests a test delivery, and waits for its first attempt. */
const deliverTo = async ({ send, raw }: Scene, path: string): Promise<string> => {
  const body = { url: `${raw.url}${path}`, events: ['payment.failed'] };
  const { id } = (await send<{ id: string }>('staff', 'POST', '/v1/webhooks', { body })).json;
  const delivery = (await send<{ id: string }>('staff', 'POST', `/v1/webhooks/${id}/test`)).json.id;
  const address = `/v1/webhooks/${id}/deliveries/${delivery}`;
  await eventually('the first attempt', async () => (await send<Delivery>('staff', 'GET', address)).json.attempts.length > 0);
  return address;
};

/** An attack: the receiver of a webhook responds with these bytes. The record of the first attempt must match `expected`. */
const receiver = (
  name: string,
  contract: string,
  bytes: string | Uint8Array | null,
  expected: object,
  check: (delivery: Delivery, scene: Scene) => unknown = () => undefined,
): Attack => {
  const path = `/${name.replaceAll(/\W+/g, '-')}`;
  return attack(
    `a receiver ${name}`,
    contract,
    async (scene) => {
      scene.raw.answer(path, bytes);
      return ['staff', 'GET', await deliverTo(scene, path)];
    },
    200,
    async ({ json }: HttpResponse, scene) => {
      const delivery = json as Delivery;
      expect(delivery.attempts[0]).toMatchObject(expected);
      expect(delivery.attempts[0]?.durationMilliseconds).toBeLessThan(ATTEMPT_LIMIT);
      await check(delivery, scene);
    },
  );
};

const expectWait = (delivery: Delivery, longest: number): void => {
  const wait = Date.parse(delivery.nextAttemptAt ?? '') - Date.now();
  expect([wait > 0, wait <= longest]).toEqual([true, true]);
};

/** API10:2023, unsafe consumption of APIs: what receivers and the payment gateway answer is not trusted. */
export const UNSAFE_CONSUMPTION: readonly Attack[] = [
  receiver(
    'redirects to the metadata of a cloud',
    'contract 20.3',
    response('302 Found', 'Location: http://169.254.169.254/\r\n'),
    { status: 302 },
    ({ attempts }) => expect(attempts).toHaveLength(1),
  ),
  receiver(
    'redirects to itself, with the body',
    'contract 20.3',
    response('307 Temporary Redirect', 'Location: /elsewhere\r\n'),
    { status: 307 },
    (_, { raw }) => expect(raw.requests('/elsewhere')).toEqual([]),
  ),
  receiver(
    'answers a megabyte',
    'contract 20.13',
    response('200 OK', 'Content-Type: text/plain\r\n', 'x'.repeat(1_000_000)),
    { status: 200 },
    ({ attempts }) => expect(attempts[0]?.answer?.length).toBe(2_048),
  ),
  receiver(
    'answers bytes that are not text',
    'contract 20.13',
    Buffer.concat([Buffer.from(response('200 OK', '')), Buffer.from([0xff, 0xfe, 0xed, 0xa0, 0x80, 0x00])]),
    { status: 200 },
    ({ attempts }) => expect(attempts[0]?.answer?.isWellFormed()).toBe(true),
  ),
  receiver(
    'answers ten compressed megabytes',
    'contract 21.5',
    Buffer.concat([Buffer.from(response('200 OK', 'Content-Encoding: gzip\r\n')), gzipSync(Buffer.alloc(10_000_000))]),
    { status: 200 },
    ({ attempts }) => expect(attempts[0]?.answer?.length).toBeLessThanOrEqual(2_048),
  ),
  receiver(
    'answers markup',
    'contract 20.13',
    response('200 OK', 'Content-Type: text/html\r\n', '<script>alert(1)</script>'),
    { status: 200, answer: '<script>alert(1)</script>' },
    async ({ id }, { send }) => {
      const list = await send('staff', 'GET', `/v1/webhooks/${id}/deliveries`);
      expect(list.text).not.toContain('<script>');
    },
  ),
  receiver(
    'answers an object with a prototype',
    'contract 20.13',
    response('200 OK', 'Content-Type: application/json\r\n', '{"__proto__":{"status":"parked"}}'),
    { status: 200 },
    ({ status }) => expect(status).toBe('delivered'),
  ),
  receiver('sends headers of 100 KB', 'contract 21.5', response('200 OK', `X-More: ${'x'.repeat(100_000)}\r\n`), {
    fault: 'answer_too_large',
  }),
  receiver('sends 10,000 headers', 'contract 21.5', response('200 OK', 'X-More: x\r\n'.repeat(10_000)), { fault: 'answer_too_large' }),
  receiver('sends no HTTP', 'contract 20.13', 'SSH-2.0-OpenSSH_9.6\r\n', { fault: 'broken_answer' }),
  receiver('sends a status of six digits', 'contract 20.13', 'HTTP/1.1 200200 OK\r\n\r\n', { fault: 'broken_answer' }),
  receiver('sends two lengths', 'contract 20.13', response('200 OK', 'Content-Length: 1\r\nContent-Length: 20\r\n', 'xx'), {
    fault: 'broken_answer',
  }),
  receiver('promises more than it sends', 'contract 20.3', response('200 OK', 'Content-Length: 1000\r\n', 'x'), {}),
  receiver('hangs up', 'contract 20.13', null, { fault: expect.stringMatching(/unreachable|broken_answer/) }),
  receiver(
    'asks for an endless delay',
    'contract 20.4',
    response('503 Busy', 'Retry-After: 99999999999999999999\r\n'),
    { status: 503 },
    (delivery) => expectWait(delivery, 1.1 * DAY),
  ),
  receiver(
    'asks for a delay in the past',
    'contract 20.4',
    response('503 Busy', 'Retry-After: Thu, 01 Jan 1970 00:00:00 GMT\r\n'),
    { status: 503 },
    (delivery) => expectWait(delivery, 10_000),
  ),
  receiver('asks for a negative delay', 'contract 20.4', response('429 Slow', 'Retry-After: -1\r\n'), { status: 429 }, (delivery) =>
    expectWait(delivery, 10_000),
  ),
  receiver('sets a cookie', 'contract 20.1', response('200 OK', 'Set-Cookie: session=1\r\n'), { status: 200 }, async (_, scene) => {
    await deliverTo(scene, '/sets-a-cookie');
    expect(scene.raw.requests('/sets-a-cookie').map((request) => /^(cookie|authorization):/im.test(request))).toEqual([false, false]);
  }),
  attack(
    'the gateway fails, and the order counts as paid',
    'contract 15.10',
    async ({ make, send }) => {
      const order = `/v1/orders/${await make('order')}`;
      const body = { amount: '250.00', currency: 'USD', source: card('4000000000000119') };
      await send('ann', 'POST', `${order}/payment`, { body });
      await eventually(
        'the failure',
        async () => (await send<{ status: string }>('ann', 'GET', `${order}/payment`)).json.status === 'failed',
      );
      return ['ann', 'GET', order];
    },
    200,
    ({ json }) => expect((json as { status: string }).status).toBe('placed'),
  ),
];
