import { describe, expect, it } from '@jest/globals';
import { uuidV5 } from './uuid-v5.js';

describe('a UUIDv5', () => {
  it('equals the example of the RFC', () =>
    expect(uuidV5('6ba7b810-9dad-11d1-80b4-00c04fd430c8', 'www.example.com')).toBe('2ed6657d-e927-568b-95e1-2665a8aea6a2'));
});
