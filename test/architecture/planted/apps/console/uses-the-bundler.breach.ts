import { build } from 'vite';
export const bundle = build;
