import type { Binary } from 'mongodb';

/** The tables (MongoDB collections) of keys: the service's own keys, and for each person a key that encrypts personal data. */
export const KEY_TABLES = ['service_keys', 'personal_keys'] as const;

export type KeyTable = (typeof KEY_TABLES)[number];

/**
 * The record of a key. `key` is null if the key was destroyed. The record of a destroyed key stays, so that no second key is
 * created for the person.
 * `createdAt` is absent for personal keys, and for service keys that an earlier version of the software created. `activatesAt` is
 * absent for keys that are used from their creation on. `requests` is absent for keys of which no request is known.
 */
export type KeyRecord = {
  readonly _id: string;
  readonly key: Binary | null;
  readonly createdAt?: Date;
  readonly activatesAt?: Date;
  readonly requests?: readonly string[];
};

/** Returns the location of a key. A wrapped key can be unwrapped only with the location for which it was wrapped. */
export const locationOf = (table: KeyTable, name: string): string => `${table} ${name}`;
