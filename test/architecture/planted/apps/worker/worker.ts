import { createServer } from 'node:http';
export const worker = createServer;
