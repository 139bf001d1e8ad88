import { gateway } from '../../libs/adapters/gateway/index.js';
export const known = gateway;
