import { expect, it } from '@jest/globals';
import { trackOutages } from './outages.js';

it('trackOutages reports only the first failure of each outage', () => {
  const reported: unknown[] = [];
  const outages = trackOutages((error) => reported.push(error));
  for (const failure of ['first', 'second']) outages.reportFailure(failure);
  outages.reportRecovery();
  for (const failure of ['third', 'fourth']) outages.reportFailure(failure);
  expect(reported).toEqual(['first', 'third']);
});
