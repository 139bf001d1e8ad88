import { describe, expect, it } from '@jest/globals';
import { parseSettings } from '../../../libs/settings/settings.js';
import { formatBanner } from './banner.js';

const bannerOf = (env: Readonly<Record<string, string>>): string => formatBanner('http://127.0.0.1:3000', parseSettings(env));

describe('the banner', () => {
  it.each([{}, { HOST: '::1' }, { HOST: '0.0.0.0', ACCESS_POLICY: 'strict', EGRESS_ALLOW: 'loopback' }])(
    'says with %j that loopback addresses are allowed (contract 21.4)',
    (env) => expect(bannerOf(env)).toContain('EGRESS_ALLOW=none forbids that\n\n  Press Ctrl-C'),
  );

  it.each([
    { EGRESS_ALLOW: 'none' },
    { HOST: '0.0.0.0', ACCESS_POLICY: 'strict' },
    { NODE_ENV: 'production', ACCESS_POLICY: 'strict', PUBLIC_URL: 'https://pets.example.com' },
  ])('does not mention loopback addresses if %j forbids them', (env) => expect(bannerOf(env)).not.toContain('EGRESS_ALLOW'));

  it('names the folder, and the port that the server listens on, in its commands', () => {
    const banner = formatBanner('http://127.0.0.1:3123', parseSettings({ DATA_DIR: '/srv/my pets', PORT: '0' }));
    expect(banner).toContain(`DATA_DIR='/srv/my pets' PORT=3123 npm run --silent petstore -- token --scope`);
    expect(banner).toContain(`DATA_DIR='/srv/my pets' PORT=3123 npm run petstore -- seed --pets 1000`);
    expect(banner).toContain('stored in /srv/my pets\n');
    expect(bannerOf({})).toContain('    Sample pets  npm run petstore -- seed --pets 1000\n');
  });

  it('has the address of the console, with a link only if there is one (contract 43.11)', () => {
    const env = parseSettings({ PUBLIC_URL: 'http://localhost:8080/shop' });
    expect(formatBanner('http://127.0.0.1:3000', env)).toContain('    Console      http://localhost:8080/shop/ops\n');
    expect(formatBanner('http://127.0.0.1:3000', env, { link: 'SECRET' })).toContain(
      '    Console      http://localhost:8080/shop/ops#link=SECRET   (signs in once, within 10 minutes)\n',
    );
  });

  it('has no commands for a store in memory, which no command can use', () => {
    expect(bannerOf({ DATA_DIR: ':memory:' })).toContain('in memory only');
    expect(bannerOf({ DATA_DIR: ':memory:' })).not.toContain('npm');
  });
});
