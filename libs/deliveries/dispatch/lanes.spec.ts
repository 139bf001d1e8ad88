import { describe, expect, it } from '@jest/globals';
import { laneOf } from './lanes.js';

const callbackTo = (url: string): string => laneOf('shared', { kind: 'callback', orderId: 'order', requestId: 'request', url });

/** Proves the groups of contract 17.6 and 20.9. */
describe('the lane of a delivery', () => {
  it('to a webhook endpoint consists of the tenant, which is the group, and the endpoint', () =>
    expect(laneOf('tenant', { kind: 'webhook', webhookId: 'endpoint' })).toBe('tenant/endpoint'));

  it.each([
    'https://shop.example.com/a',
    'https://shop.example.com:8443/b',
    'http://shop.example.com:3000/',
    'https://shop.example.com./',
    'https://SHOP.example.COM/?c',
    'https://somebody:secret@shop.example.com/',
  ])('to %s consists of the domain, which is the group, and the host', (url) =>
    expect(callbackTo(url)).toBe('example.com/shop.example.com'),
  );

  it.each([
    ['https://example.com/', 'example.com/example.com'],
    ['https://a.b.c.example.com/', 'example.com/a.b.c.example.com'],
    ['http://localhost:3000/', 'localhost/localhost'],
    ['http://203.0.113.7/', '203.0.113/203.0.113.7'],
    ['http://0xcb007107:8080/', '203.0.113/203.0.113.7'],
    ['http://[2001:db8:1:2::7]:8080/', '2001:db8:1:2/[2001:db8:1:2::7]'],
    ['http://[2001:db8:1:2:3:4:5:6]/', '2001:db8:1:2/[2001:db8:1:2:3:4:5:6]'],
    ['http://[2001:db8::7]/', '2001:db8/[2001:db8::7]'],
  ])('to %s is %s', (url, lane) => expect(callbackTo(url)).toBe(lane));
});
