import { Taken } from './taken.js';

export type Mine = Taken;
