import { describe, expect, it } from '@jest/globals';
import { clientChangesBody, newAccountBody, newClientBody, passwordBody } from './form-bodies.js';

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

describe('the body of a new client', () => {
  it('has each URI of its lines, if it signs people in', () =>
    expect(
      newClientBody(
        form(
          ['name', ' Pet Finder '],
          ['kind', 'people'],
          ['redirectUris', ' https://a.example/in\r\n\r\ncom.example.app:/in\n'],
          ['postLogoutRedirectUris', ''],
          ['confidential', 'on'],
        ),
      ),
    ).toEqual({
      name: 'Pet Finder',
      device: false,
      confidential: true,
      redirectUris: ['https://a.example/in', 'com.example.app:/in'],
      postLogoutRedirectUris: [],
    }));

  it('has only scopes besides its name, if it is a program', () =>
    expect(newClientBody(form(['name', 'Importer'], ['kind', 'program'], ['scopes', 'write:pets'], ['scopes', 'ops']))).toEqual({
      name: 'Importer',
      program: true,
      scopes: ['write:pets', 'ops'],
    }));
});

it('the changes of a client have all its URIs, or all its scopes, so that an empty field removes them', () => {
  expect(clientChangesBody(form(['redirectUris', 'https://a.example/in']), 'people')).toEqual({
    redirectUris: ['https://a.example/in'],
    postLogoutRedirectUris: [],
  });
  expect(clientChangesBody(form(), 'program')).toEqual({ scopes: [] });
});
