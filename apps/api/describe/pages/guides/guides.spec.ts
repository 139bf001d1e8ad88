import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runningApi, type RunningApi } from '../../../testing/running-api.fixtures.js';
import { escapeHtml } from '../page.js';
import { GUIDES, GUIDE_NAMES } from './guides.js';

describe('guides', () => {
  let api: RunningApi;
  beforeAll(async () => {
    api = await runningApi();
  });
  afterAll(() => api.app.close());

  it.each(GUIDE_NAMES)('/docs/guides/%s is a document with its headings in the sidebar, and its links lead to something', async (name) => {
    const { statusCode, headers, body } = await api.inject({ url: `/docs/guides/${name}` });
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none';/);
    const ids = new Set([...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    for (const [, address = ''] of body.matchAll(/<a href="([^"]*)"/g)) {
      if (address.startsWith('https://')) continue;
      const [path = '', anchor] = address.split('#');
      if (path === '') expect(ids).toContain(anchor);
      else if (/^\/docs\/guides\/\w+$/.test(path) && anchor !== undefined)
        expect((await api.inject({ url: path })).body).toContain(` id="${decodeURIComponent(anchor)}"`);
      else expect((await api.inject({ url: path, headers: { accept: 'text/html' } })).statusCode).toBe(200);
    }
    for (const heading of readFileSync(GUIDES[name].file, 'utf8').matchAll(/^## (.*)$/gm))
      expect(body).toContain(`<span>${escapeHtml(heading[1]?.replaceAll('`', '') ?? '')}</span>`);
  });

  it('/docs/guides lists the guides, and /docs/guides/search.json has the text of each section', async () => {
    const { body } = await api.inject({ url: '/docs/guides' });
    for (const name of GUIDE_NAMES) expect(body).toContain(`<li><a href="/docs/guides/${name}"><strong>`);
    const sections = (await api.inject({ url: '/docs/guides/search.json' })).json<readonly Readonly<Record<string, string>>[]>();
    expect(sections).toContainEqual({
      guide: 'Contract',
      title: '15.3 Amount due',
      address: 'guides/contract#153-amount-due',
      text: expect.stringContaining('The amount must equal the frozen price') as unknown,
    });
    expect((await api.inject({ url: '/docs/guides/nothing' })).statusCode).toBe(404);
  });
});
