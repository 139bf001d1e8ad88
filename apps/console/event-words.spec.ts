import { describe, expect, it } from '@jest/globals';
import { eventWords, fieldWords, hasStory, shortName, statesPath, stuckWords } from './event-words.js';

describe('the words of an event', () => {
  it.each([
    ['OrderPlaced', 'Order placed'],
    ['OrderPaymentStarted', 'Order payment started'],
    ['PetURLChanged', 'Pet URL changed'],
    ['Day2Counted', 'Day2 counted'],
    ['', ''],
  ])('%s: %s', (type, words) => expect(eventWords(type)).toBe(words));

  it('of a field are lower case', () => {
    expect(fieldWords('medicalInfo.vaccinated')).toBe('medical info: vaccinated');
    expect(fieldWords('order-not-approved')).toBe('order not approved');
  });

  it('of a kind of stuck work are a sentence, or the kind itself', () => {
    expect(stuckWords('order-not-approved')).toBe('The order is paid and not approved');
    expect(stuckWords('something-new')).toBe('something new');
    expect(stuckWords('toString')).toBe('to string');
  });
});

describe('a stream', () => {
  it('has a story if it is a resource', () => {
    expect(['pet-1', 'webhook-1', 'security-2026-01-02', 'numbers-shared', 'toString-1', 'pet'].map(hasStory)).toEqual([
      true,
      true,
      false,
      false,
      false,
      true,
    ]);
  });

  it('has past states, except a webhook endpoint', () => {
    expect(statesPath('order-01a2-3')).toBe('orders/01a2-3');
    expect(statesPath('user-a/b')).toBe('users/a%2Fb');
    expect(statesPath('webhook-1')).toBeNull();
    expect(statesPath('constructor-1')).toBeNull();
  });

  it('has a short name with the end of its id', () => {
    expect(shortName('order-0190a6b3-1a2b-7c45-8d6e-4f8b2c6d3e91')).toBe('order-…2c6d3e91');
    expect(shortName('security-2026-01-02')).toBe('security-2026-01-02');
    expect(shortName(`email-${'e6'.repeat(32)}`)).toBe('email-…e6e6e6e6');
  });
});
