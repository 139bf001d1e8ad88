import { approve } from '../processes/payment-approves-order.process.js';
export const known = approve;
