import { describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { standardSigner } from './standard-signer.js';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', sentAt: new Date(1_614_265_330_000), body: '{"test": 2432232314}' };

describe('a signature', () => {
  it('matches the example of the Standard Webhooks specification', () =>
    expect(standardSigner.sign(SECRET, message)).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='));

  it('is the HMAC-SHA256 of the id, the time in seconds and the body, even if the body is not ASCII', () => {
    const body = '{"name":"Łatek 🐈"}';
    const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
    const hmac = createHmac('sha256', key).update(`${message.id}.1614265330.${body}`).digest('base64');
    expect(standardSigner.sign(SECRET, { ...message, body })).toBe(`v1,${hmac}`);
  });
});
