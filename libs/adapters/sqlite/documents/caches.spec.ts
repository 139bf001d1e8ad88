import { describe, expect, it } from '@jest/globals';
import { QueryCache } from './query-cache.js';
import { DocumentCache } from './document-cache.js';
import { openDatabase } from '../folder/database.js';
import { IN_MEMORY } from '../folder/file-names.js';

describe('cached results of queries', () => {
  const isComputed = (cache: QueryCache, query: string, result: readonly string[]): boolean => {
    let computed = false;
    cache.of('pets', { tenant: 'shared' }, query, () => {
      computed = true;
      return result;
    });
    return computed;
  };

  it('are computed again only after a write', () => {
    const cache = new QueryCache();
    expect([isComputed(cache, 'a', ['x']), isComputed(cache, 'a', ['x'])]).toEqual([true, false]);
    cache.invalidateTenant('pets', 'shared');
    expect(isComputed(cache, 'a', ['x'])).toBe(true);
  });

  it('are not cached when they are very long', () => {
    const cache = new QueryCache();
    const long = ['x'.repeat(300_000)];
    expect([isComputed(cache, 'a', long), isComputed(cache, 'a', long)]).toEqual([true, true]);
  });

  it('are all evicted when they would exceed a budget', () => {
    const cache = new QueryCache();
    const page = ['x'.repeat(200_000)];
    for (let query = 0; query < 100; query++) isComputed(cache, String(query), page);
    expect(isComputed(cache, '99', page)).toBe(false);
    expect(isComputed(cache, '0', page)).toBe(true);
  });
});

describe('cached documents', () => {
  const BUDGET = 16_000_000;
  const document = (key: string, size: number) => ({ key, json: 'x'.repeat(size), fields: {}, revision: 0 });

  it('are evicted, the least recently used first, when they would exceed a budget', () => {
    const cache = new DocumentCache(openDatabase(IN_MEMORY, 'unused'), BUDGET);
    for (let key = 0; key < 100; key++) {
      cache.add('pets', document(String(key), 200_000));
      cache.get('pets', '0');
    }
    expect(cache.get('pets', '99')).toBeDefined();
    expect(cache.get('pets', '0')).toBeDefined();
    expect(cache.get('pets', '1')).toBeUndefined();
  });

  it('no longer count towards the budget after they are deleted', () => {
    const cache = new DocumentCache(openDatabase(IN_MEMORY, 'unused'), BUDGET);
    cache.add('pets', document('kept', 10_000_000));
    for (let time = 0; time < 10; time++) {
      cache.add('pets', document('passing', 5_000_000));
      cache.remove('pets', 'passing');
    }
    expect(cache.get('pets', 'kept')).toBeDefined();
  });
});
