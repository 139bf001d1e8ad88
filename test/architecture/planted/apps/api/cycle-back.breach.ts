import { forth } from './cycle.breach.js';
export const back = (): unknown => forth;
