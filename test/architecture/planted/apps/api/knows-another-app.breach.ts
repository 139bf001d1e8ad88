import { worker } from '../worker/worker.js';
export const known = worker;
