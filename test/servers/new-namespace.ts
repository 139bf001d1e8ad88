import { randomUUID } from 'node:crypto';

/** A namespace that no other test uses, on servers that tests share. */
export const newNamespace = (): string => `t${randomUUID().replaceAll('-', '').slice(0, 19)}`;
