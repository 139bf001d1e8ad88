import { seen } from './testing/specification.js';
export const shipped = seen;
