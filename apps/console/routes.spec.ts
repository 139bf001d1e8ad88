import { describe, expect, it } from '@jest/globals';
import { hrefOf, routeOf } from './routes.js';

describe('a route', () => {
  it.each(['', '#', '#/'])('of %j is the overview', (fragment) => expect(routeOf(fragment)).toEqual({ page: 'overview', query: {} }));

  it('has a page, an id and a query', () =>
    expect(routeOf('#/streams/order-1?tenant=t&page=2')).toEqual({ page: 'streams', id: 'order-1', query: { tenant: 't', page: '2' } }));

  it('comes back from its fragment, whatever its id contains', () => {
    for (const id of ['order-1', 'a/b?c#d', '<svg onload>', 'ä %', '%'])
      expect(routeOf(hrefOf('requests', id, { from: '2026-01-02T03:04:05+01:00', none: undefined, empty: '' }))).toEqual({
        page: 'requests',
        id,
        query: { from: '2026-01-02T03:04:05+01:00' },
      });
    expect(hrefOf('overview')).toBe('#/');
  });

  it('keeps an id that is not encoded', () => expect(routeOf('#/streams/100%')).toEqual({ page: 'streams', id: '100%', query: {} }));
});
