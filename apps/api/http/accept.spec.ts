import { describe, expect, it } from '@jest/globals';
import { prefersHtml } from './accept.js';

describe('an Accept header', () => {
  it.each([
    ['of a browser', 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'],
    ['that names HTML alone', 'text/html'],
    ['that names HTML in upper case', 'TEXT/HTML; charset=utf-8'],
    ['that names HTML beside anything', 'text/html, */*'],
    ['that puts HTML before JSON', 'application/json;q=0.5, text/html;q=0.9'],
  ])('%s prefers HTML', (_, accept) => expect(prefersHtml(accept)).toBe(true));

  it.each([
    ['that is missing', undefined],
    ['that is empty', ''],
    ['of curl', '*/*'],
    ['of fetch', 'application/json, text/plain, */*'],
    ['that names JSON and HTML alike', 'application/json, text/html'],
    ['that puts problems before HTML', 'application/problem+json, text/html;q=0.5'],
    ['that puts anything before HTML', 'text/html;q=0.5, */*'],
    ['that excludes HTML', 'text/html;q=0, */*'],
    ['with a quality that is no number', 'text/html;q=x'],
    ['that only mentions HTML', 'application/x-text/html, text/html5'],
  ])('%s prefers JSON', (_, accept) => expect(prefersHtml(accept)).toBe(false));
});
