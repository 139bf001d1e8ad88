export type { Allowance } from './addresses.js';
export type { Connect } from './dial.js';
export { openEgress, type EgressOptions } from './http-egress.js';
export type { Lookup } from './lookup.js';
export type { TimeLimits } from './time-limits.js';
