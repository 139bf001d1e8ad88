import { api } from '../api/api.module.js';
export const known = api;
