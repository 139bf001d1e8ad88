import { describe, expect, it } from '@jest/globals';
import { MongoNetworkError, MongoServerError } from 'mongodb';
import { StoreUnavailable } from '../../../eventsourcing/ports/event-store.port.js';
import { toPortError } from './failures.js';

describe('the MongoDB adapter', () => {
  it.each([
    ['a socket that broke during a write', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })],
    ['a connection that was reset', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })],
    ['a connection that the driver reports as lost', new MongoNetworkError('connection 1 to 127.0.0.1 closed')],
    ['a server that shuts down', new MongoServerError({ message: 'interrupted at shutdown', code: 11_600 })],
  ])('converts the error of %s to StoreUnavailable', (_, error) => expect(toPortError(error)).toBeInstanceOf(StoreUnavailable));

  it.each([
    ['an invalid command', new MongoServerError({ message: 'unknown operator', code: 2 })],
    ['a programming error', new TypeError('x is not a function')],
    ['a duplicate key', new MongoServerError({ message: 'duplicate', code: 11_000 })],
  ])('does not convert the error of %s', (_, error) => expect(toPortError(error)).toBe(error));
});
