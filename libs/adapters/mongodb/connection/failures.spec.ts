import { describe, expect, it } from '@jest/globals';
import { MongoNetworkError, MongoServerError } from 'mongodb';
import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import { named } from './failures.js';

describe('a failure of MongoDB', () => {
  it.each([
    ['a socket that broke while it was written to', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })],
    ['a connection that was reset', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })],
    ['a connection that the driver says is lost', new MongoNetworkError('connection 1 to 127.0.0.1 closed')],
    ['a server that shuts down', new MongoServerError({ message: 'interrupted at shutdown', code: 11_600 })],
  ])('is the store’s: %s', (_, error) => expect(named(error)).toBeInstanceOf(StoreUnavailable));

  it.each([
    ['a command that is none', new MongoServerError({ message: 'unknown operator', code: 2 })],
    ['a mistake of ours', new TypeError('x is not a function')],
    ['a key that is there already', new MongoServerError({ message: 'duplicate', code: 11_000 })],
  ])('stays what it is: %s', (_, error) => expect(named(error)).toBe(error));
});
