import { randomUUID } from 'node:crypto';

/** Returns a namespace that no other test uses. It separates the data of a test on servers that tests share. */
export const newNamespace = (): string => `t${randomUUID().replaceAll('-', '').slice(0, 19)}`;
