import { gateway } from '../adapters/gateway/index.js';
export const known = gateway;
