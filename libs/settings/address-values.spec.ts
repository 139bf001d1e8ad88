import { describe, expect, it } from '@jest/globals';
import { isLoopback } from './address-values.js';

describe('loopback', () => {
  it.each(['127.0.0.1', '127.9.9.9', 'localhost', '::1'])('includes %s', (host) => expect(isLoopback(host)).toBe(true));
  it.each(['0.0.0.0', '::', '10.0.0.1', 'pets.example.com', '127.evil.com'])('excludes %s', (host) => expect(isLoopback(host)).toBe(false));
});
