import { describe, expect, it } from '@jest/globals';
import { newAccountBody, passwordBody } from './form-bodies.js';

const form = (...fields: readonly (readonly [string, string])[]): FormData => {
  const data = new FormData();
  for (const [name, value] of fields) data.append(name, value);
  return data;
};

describe('the body of a new account', () => {
  it('has what was typed, without spaces at its ends, but with those of the password', () =>
    expect(
      newAccountBody(
        form(
          ['username', ' ann '],
          ['email', 'ann@example.com '],
          ['password', ' a b c d '],
          ['firstName', ' Ann'],
          ['lastName', 'Lee'],
          ['phone', '+1 415'],
          ['staff', 'on'],
          ['reason', 'she begins on Monday'],
        ),
      ),
    ).toEqual({
      username: 'ann',
      email: 'ann@example.com',
      password: ' a b c d ',
      firstName: 'Ann',
      lastName: 'Lee',
      phone: '+1 415',
      staff: true,
    }));

  it('lacks what was left empty', () =>
    expect(newAccountBody(form(['username', 'ann'], ['email', 'a@b.c'], ['password', 'secret password'], ['phone', ' ']))).toEqual({
      username: 'ann',
      email: 'a@b.c',
      password: 'secret password',
    }));
});

it('the body of a new password has every character of it', () =>
  expect(passwordBody(form(['password', ' ä b '], ['reason', 'forgotten']))).toEqual({ password: ' ä b ' }));
