import type { Clock } from './clock.port.js';
export type Message = { readonly type: string; readonly at?: Clock };
