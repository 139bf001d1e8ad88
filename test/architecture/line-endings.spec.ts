import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { newFolder, removeFolders } from '../servers/data-folder.js';
import { ROOT } from '../servers/program.js';
import { filesOf } from './repository-files.js';

afterAll(() => removeFolders());

const startsAsScript = (file: string): boolean => readFileSync(join(ROOT, file)).subarray(0, 2).toString() === '#!';

/** Files that a program reads line by line, and that a CR would break: scripts, Python, images. */
const SCRIPTS = ['.ci/run', ...filesOf('deploy', 'scripts', 'test', 'examples')].filter(
  (file) => startsAsScript(file) || /\.(?:sh|mjs|py)$|(?:Containerfile|Dockerfile)$/.test(file),
);
const BINARY = ['docs/nutmeg.png', ...filesOf('test/golden').filter((file) => file.endsWith('.gz'))];

const git = (folder: string, ...args: readonly string[]): void =>
  void execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.com', ...args], { cwd: folder, stdio: 'pipe' });

describe('a clone with core.autocrlf=true', () => {
  it('has the bytes of every script and binary file, without a CR before a line feed in scripts', () => {
    const [origin, clone] = [newFolder(), join(newFolder(), 'clone')];
    for (const file of ['.gitattributes', ...SCRIPTS, ...BINARY].filter((each) => existsSync(join(ROOT, each)))) {
      mkdirSync(dirname(join(origin, file)), { recursive: true });
      copyFileSync(join(ROOT, file), join(origin, file));
    }
    git(origin, 'init', '--quiet');
    git(origin, 'add', '.');
    git(origin, 'commit', '--quiet', '--message', 'files');
    git(origin, '-c', 'core.autocrlf=true', 'clone', '--quiet', origin, clone);
    const changed = [...SCRIPTS, ...BINARY].filter((file) => !readFileSync(join(clone, file)).equals(readFileSync(join(ROOT, file))));
    expect(changed).toEqual([]);
    expect(SCRIPTS.length).toBeGreaterThan(30);
    expect(BINARY.length).toBeGreaterThan(3);
  });
});
