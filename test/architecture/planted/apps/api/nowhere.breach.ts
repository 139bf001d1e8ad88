import { nothing } from './nothing.js';
export const found = nothing;
