import { expect, it } from '@jest/globals';
import { outagesTo } from './outages.js';

it('tells of the first failure of each outage', () => {
  const told: unknown[] = [];
  const outages = outagesTo((error) => told.push(error));
  for (const failure of ['first', 'second']) outages.failed(failure);
  outages.over();
  for (const failure of ['third', 'fourth']) outages.failed(failure);
  expect(told).toEqual(['first', 'third']);
});
