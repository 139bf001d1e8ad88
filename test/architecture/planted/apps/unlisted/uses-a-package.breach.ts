import { pino } from 'pino';
export const used = pino;
