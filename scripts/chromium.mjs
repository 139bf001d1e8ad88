import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './child.mjs';
import { printLine } from './workspace.mjs';

/** The programs that test/servers/browser.ts looks for. */
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome', 'chrome'];

const isInPath = (program) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => {
    try {
      accessSync(join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });

const aptGet = (...words) =>
  run('apt-get', ['-q', '-y', ...words], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });

/**
 * Installs Chromium from Debian's packages if the machine has no browser, this process is root and apt-get exists. Without a
 * browser, the tests of pages are skipped with the reason.
 */
export const installChromium = async () => {
  if (process.env.CHROMIUM !== undefined || BROWSERS.some(isInPath) || process.getuid?.() !== 0 || !isInPath('apt-get')) return;
  printLine('Installing Chromium…');
  const install = () => aptGet('install', '--no-install-recommends', 'chromium');
  // The list of packages may be empty or old.
  if ((await install()).code !== 0 && (await aptGet('update')).code === 0) await install();
};
