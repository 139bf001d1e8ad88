import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { ROOT } from '../servers/program.js';
import { DEPLOY } from './deploy-files.js';
import { lastInstruction, readDockerfile, wordsOf } from './dockerfile.js';

const text = readFileSync(join(DEPLOY, 'Dockerfile'), 'utf8');
const dockerfile = readDockerfile(text);
const project = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { dependencies: Record<string, string> };

describe('the Dockerfile', () => {
  it('uses the same version of Node as the tests in every stage', () => {
    expect(dockerfile.args.get('NODE_VERSION')).toBe(project.dependencies['node']);
    expect(dockerfile.stages.map(({ image }) => image)).toEqual(
      dockerfile.stages.map(() => `node:${process.version.slice(1)}-bookworm-slim`),
    );
  });

  it('runs the image as an unprivileged user', () => {
    expect(lastInstruction(dockerfile, 'USER')).toBe('10001:10001');
  });

  it('uses petstore health as the health check', () => {
    expect(wordsOf(lastInstruction(dockerfile, 'HEALTHCHECK'))).toEqual([...wordsOf(lastInstruction(dockerfile, 'ENTRYPOINT')), 'health']);
  });

  it('has no syntax line, because an engine would download that frontend before the build', () => {
    expect(text).not.toMatch(/^#\s*syntax\s*=/im);
  });
});
