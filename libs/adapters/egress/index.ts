export { openEgress } from './http-egress.js';
