import { back } from './cycle-back.breach.js';
export const forth = (): unknown => back;
