import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import { program } from '../../apps/petstore/program.js';
import { STUCK_KINDS } from '../../libs/application/operations/stuck.js';
import { FAILURE_REASONS } from '../../libs/ports/payment-ledger.port.js';
import { DEFAULTS, DEFAULT_URL } from '../../libs/settings/settings.js';
import { shellBlocks } from '../servers/documents.js';
import { ROOT } from '../servers/program.js';
import { filesOf } from './repository-files.js';

const read = (document: string): string => readFileSync(join(ROOT, document), 'utf8');

/** The documents in the folder docs, which has a picture too. */
const PAGES = readdirSync(join(ROOT, 'docs')).filter((name) => name.endsWith('.md'));

const DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'DECISIONS.md', 'deploy/runbook.md', ...PAGES.map((name) => `docs/${name}`)] as const;

/** The test that runs the shell commands of each section; null for commands that need a container engine. */
const RUN_BY: Readonly<Record<string, string | null>> = {
  'README.md: Run it': 'test/http/walks.more.spec.ts',
  'README.md: Walk through it': 'test/http/walks.more.spec.ts',
  'docs/api.md: Adoption': 'test/http/walks.more.spec.ts',
  'docs/api.md: Chat': 'test/http/walks.more.spec.ts',
  'docs/api.md: Let a program call the store': 'test/journeys/clients.more.spec.ts',
  'docs/api.md: Sign people in': 'test/journeys/clients.more.spec.ts',
  'docs/api.md: Walk': 'test/http/walks.more.spec.ts',
  'docs/audit.md: Export a range': 'test/journeys/audit-export.more.spec.ts',
  'docs/audit.md: Find who changed something, and prove it': 'test/journeys/audit-export.more.spec.ts',
  'docs/audit.md: Prove that a subscriber has every message': 'test/journeys/distributed/python-consumer.more.spec.ts',
  'docs/audit.md: Prove that the log is whole': 'test/journeys/audit.more.spec.ts',
  'docs/events.md: Find gaps and doubles': 'test/journeys/distributed/python-consumer.more.spec.ts',
  'docs/webhooks.md: Walk': 'test/journeys/receiver.spec.ts',
  'docs/webhooks.md: While you develop': 'test/journeys/receiver.spec.ts',
  'docs/operations.md: Keep erased persons erased': 'test/journeys/erasure.more.spec.ts',
  'docs/operations.md: The distributed profile': null,
  'docs/proxies.md: Varnish': 'test/journeys/proxies.more.spec.ts',
  'docs/proxies.md: What every proxy must do': null,
  'docs/tutorial.md: Golden files and generated tables': 'test/architecture/tutorial.more.spec.ts',
  'docs/tutorial.md: Run the specs': 'test/architecture/tutorial.more.spec.ts',
  'docs/fuzzing.md: ': 'scripts/fuzz.mjs',
  'CONTRIBUTING.md: ': '.ci/run',
  'deploy/runbook.md: Start': null,
  'deploy/runbook.md: Upgrade': null,
  'deploy/runbook.md: Back up and restore': null,
};

const blocks = DOCUMENTS.flatMap((document) => shellBlocks(document).map((block) => ({ document, ...block })));

/** The words after `npm run` in every such command, in code blocks and in prose. */
const npmCommands = DOCUMENTS.flatMap((document) =>
  [...read(document).matchAll(/\bnpm run (?:--silent )?([^`#|)\n]+)/g)].map(([, words]) => ({
    document,
    words: (words ?? '').trim().split(/\s+/),
  })),
);

/** Returns the options that the named command does not have. Returns all words if the command is unknown. */
const unknownOptions = (words: readonly string[]): readonly string[] => {
  let command: Command = program;
  const options: string[] = [];
  for (const word of words) {
    const next = command.commands.find((candidate) => candidate.name() === word);
    if (next) command = next;
    else if (word.startsWith('--')) options.push(word);
  }
  if (command === program && !words[0]?.startsWith('<')) return words;
  return options.filter((option) => option !== '--help' && !command.options.some(({ long }) => long === option));
};

/** Returns the anchor of a heading as GitHub derives it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

const anchorsOf = (document: string): readonly string[] =>
  [...read(document).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading ?? ''));

const isBroken = (document: string, link: string): boolean => {
  const [path = '', anchor] = link.split('#');
  const target = path === '' ? document : join(dirname(document), path);
  if (!existsSync(join(ROOT, target))) return true;
  return anchor !== undefined && !anchorsOf(target).includes(anchor);
};

describe('the commands in the documents', () => {
  it('are run by the tests that RUN_BY names', () => {
    const sections = [...new Set(blocks.map(({ document, section }) => `${document}: ${section}`))];
    expect(sections.sort()).toEqual(Object.keys(RUN_BY).sort());
    const [runners] = [Object.values(RUN_BY).filter((runner) => runner !== null)];
    expect(runners.filter((runner) => !existsSync(join(ROOT, runner)))).toEqual([]);
  });

  it('name scripts of package.json', () => {
    const { scripts } = JSON.parse(read('package.json')) as { readonly scripts: Readonly<Record<string, string>> };
    expect(npmCommands.filter(({ words }) => !Object.hasOwn(scripts, words[0] ?? ''))).toEqual([]);
    expect(npmCommands.length).toBeGreaterThan(30);
  });

  it('name existing commands and options of petstore', () => {
    const petstore = npmCommands.filter(({ words }) => words[0] === 'petstore' && words[1] === '--');
    const unknown = petstore.map(({ document, words }) => ({ document, words, unknown: unknownOptions(words.slice(2)) }));
    expect(unknown.filter((each) => each.unknown.length > 0)).toEqual([]);
    expect(petstore.length).toBeGreaterThan(15);
  });

  it('are reported when a command or an option is unknown', () => {
    expect(unknownOptions(['rebuild'])).not.toEqual([]);
    expect(unknownOptions(['seed', '--dogs', '7'])).toEqual(['--dogs']);
    expect(unknownOptions(['projections', 'rebuild', '--accept-altered'])).toEqual([]);
  });

  it('use the default address of the store', () => {
    const called = [...read('README.md').matchAll(/^STORE=(\S+)$/gm)].map(([, address]) => address);
    expect(new Set(called)).toEqual(new Set([DEFAULT_URL]));
    expect(read('README.md')).toContain(`\`${DEFAULTS.dataDir}\``);
  });
});

/** Returns the functions and methods that a document names after a link to their file. */
const namesIn = (document: string): readonly { readonly file: string; readonly name: string }[] =>
  [...read(document).matchAll(/\]\(\.\.\/([^)]+)\), `(\w+)`/g)].map(([, file = '', name = '']) => ({ file, name }));

describe('the documents', () => {
  it('link to files and headings that exist', () => {
    const links = DOCUMENTS.flatMap((document) =>
      [...read(document).matchAll(/\]\((?!https?:)([^)]+)\)/g)].map(([, link]) => ({ document, link: link ?? '' })),
    );
    expect(links.filter(({ document, link }) => isBroken(document, link))).toEqual([]);
    expect(links.length).toBeGreaterThan(30);
  });

  it('name functions that the linked files have', () => {
    const named = namesIn('docs/life-of-an-order.md');
    expect(named.filter(({ file, name }) => !new RegExp(`\\b(?:const|async) ${name}\\b`).test(read(file)))).toEqual([]);
    expect(named.length).toBeGreaterThan(4);
  });

  it.each(['docs/life-of-a-write.md', 'docs/life-of-a-read-model.md'])(
    'name methods and functions that the linked files have: %s',
    (page) => {
      const named = namesIn(page);
      const declared = (name: string): RegExp =>
        new RegExp(`^ *(?:export )?(?:private )?(?:async )?(?:const |type )?${name}(?:<\\w+>)?(?:\\(| = )`, 'm');
      expect(named.filter(({ file, name }) => !declared(name).test(read(file)))).toEqual([]);
      expect(named.length).toBeGreaterThan(8);
    },
  );

  it('are all listed in docs/README.md', () => {
    const listed = [...read('docs/README.md').matchAll(/^\| \[.*?\]\((.*?)\)/gm)].map(([, link]) => link ?? '');
    const expected = PAGES.filter((name) => name !== 'README.md');
    expect(listed.toSorted()).toEqual(['../README.md', ...expected].toSorted());
  });

  it('index every decision, each with its date', () => {
    const decisions = read('DECISIONS.md');
    const indexed = [...decisions.matchAll(/^- \[(.*)\]\(#.*\) \((\d{4}-\d\d-\d\d)\)$/gm)].map(([, title, date]) => `${title}: ${date}`);
    const entries = [...decisions.matchAll(/^## (.*)\n\n(\d{4}-\d\d-\d\d), /gm)].map(([, title, date]) => `${title}: ${date}`);
    expect(indexed).toEqual(entries);
    expect(entries).toHaveLength([...decisions.matchAll(/^## /gm)].length);
  });

  it('quote log lines that the code writes', () => {
    const sources = filesOf('apps', 'libs')
      .filter((name) => name.endsWith('.ts'))
      .map(read);
    const quoted = DOCUMENTS.flatMap((document) => [...read(document).matchAll(/the log says `([^`]+)`/g)].map(([, line]) => line ?? ''));
    expect(quoted.filter((line) => !sources.some((source) => source.includes(line)))).toEqual([]);
    expect(quoted.length).toBeGreaterThan(2);
  });

  it.each([
    ['docs/operations.md', '\n## What is stuck\n'],
    ['docs/contract.md', '\n### 43.9 Stuck\n'],
  ])('explain every kind of what is stuck: %s', (document, heading) => {
    const section = read(document).split(heading)[1]?.split('\n## ')[0] ?? '';
    const kinds: readonly string[] = STUCK_KINDS;
    const explained = [...section.matchAll(/^\| `([a-z-]+)` \| \S/gm)].map(([, kind = '']) => kind).filter((kind) => kind.includes('-'));
    expect(explained.filter((kind) => kind !== 'not-published')).toEqual(kinds);
  });

  it('name every reason for which a payment with a test number fails', () => {
    const reasons = FAILURE_REASONS.filter((reason) => reason !== 'instrument_unknown');
    expect(reasons.filter((reason) => !read('docs/api.md').includes(`\`${reason}\``))).toEqual([]);
  });
});
