import { start } from '../console/main.js';
export const known = start;
