export type { Allowance } from './destinations/addresses.js';
export type { Connect } from './connections/dial.js';
export { openEgress, type EgressOptions } from './http-egress.js';
export type { Lookup } from './destinations/lookup.js';
