import { describe, expect, it } from '@jest/globals';
import { prefersHtml } from './accept.js';

describe('an Accept header', () => {
  it.each([
    ['of a browser', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'],
    ['with only HTML', 'text/html'],
    ['with HTML in upper case', 'TEXT/HTML; charset=utf-8'],
    ['with HTML and any type', 'text/html, */*'],
    ['with a higher quality for HTML than for JSON', 'application/json;q=0.5, text/html;q=0.9'],
  ])('%s prefers HTML', (_, accept) => expect(prefersHtml(accept)).toBe(true));

  it.each([
    ['that is missing', undefined],
    ['that is empty', ''],
    ['of curl', '*/*'],
    ['of fetch', 'application/json, text/plain, */*'],
    ['with JSON and HTML of the same quality', 'application/json, text/html'],
    ['with a higher quality for problems than for HTML', 'application/problem+json, text/html;q=0.5'],
    ['with a higher quality for any type than for HTML', 'text/html;q=0.5, */*'],
    ['that excludes HTML', 'text/html;q=0, */*'],
    ['with a quality that is not a number', 'text/html;q=x'],
    ['with types that contain the word HTML', 'application/x-text/html, text/html5'],
  ])('%s prefers JSON', (_, accept) => expect(prefersHtml(accept)).toBe(false));
});
