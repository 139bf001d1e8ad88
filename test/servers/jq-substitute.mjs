/** The part of jq that the documents use, for machines without jq: `.`, `.a.b`, `.a[].b`, `{a, b}` and -r. */
import { readFileSync } from 'node:fs';

const words = process.argv.slice(2);
const raw = words[0] === '-r';
const filter = words.at(-1) ?? '.';

const members = (names) => (value) => [Object.fromEntries(names.map((name) => [name, value[name] ?? null]))];
const step = (name) => (value) => (name === '[]' ? value : [value?.[name] ?? null]);

const steps = filter.startsWith('{')
  ? [
      members(
        filter
          .slice(1, -1)
          .split(',')
          .map((name) => name.trim()),
      ),
    ]
  : (filter.match(/\[\]|[\w-]+/g) ?? []).map(step);

const results = steps.reduce((values, follow) => values.flatMap(follow), [JSON.parse(readFileSync(0, 'utf8'))]);
for (const result of results) process.stdout.write(`${raw && typeof result === 'string' ? result : JSON.stringify(result, null, 2)}\n`);
