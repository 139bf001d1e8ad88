import { describe, expect, it } from '@jest/globals';
import { callerNetwork } from './caller-network.js';

describe('the rate limit key', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.1:4711', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['[::ffff:192.0.2.1]:4711', '192.0.2.1'],
    ['2001:db8:1:2::3', '2001:db8:1:2'],
    ['2001:0DB8:0001:0002:0:0:0:3', '2001:db8:1:2'],
    ['[2001:db8:1:2::4]:4711', '2001:db8:1:2'],
    ['2001:db8::1', '2001:db8:0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0'],
    ['::1', '0:0:0:0'],
    ['unknown', 'unknown'],
    ['_hidden', 'unknown'],
    ['', 'unknown'],
    ['1.2.3.4.5:1', 'unknown'],
  ])('of the address %j is %s', (written, network) => expect(callerNetwork(written)).toBe(network));
});
