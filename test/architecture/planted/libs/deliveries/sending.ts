import { digest } from '../runtime/reactor.js';
export const sent = digest;
