import { describe, expect, it } from '@jest/globals';
import { isOtherLanguage } from './language.js';
import { tokensOf } from './token.js';

describe('the language of a message', () => {
  it.each([
    'Hola, busco un perro pequeño',
    'Ich suche eine Katze',
    'Je cherche un chien',
    'Cerco un cane per i miei bambini',
    '我想要一只狗',
    'Я хочу собаку',
    'Ik zoek een hond',
  ])('is not English: %s', (text) => expect(isOtherLanguage(tokensOf(text))).toBe(true));

  it.each([
    'I want a dog',
    'dog',
    'Tell me about Amélie',
    'no',
    'Chat with me about El Gato',
    '300 dollars',
    '',
    'un chihuahua please, a small one',
  ])('may be English: %j', (text) => expect(isOtherLanguage(tokensOf(text))).toBe(false));
});
