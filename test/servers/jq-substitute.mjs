/** A substitute for jq on machines without it. It accepts only what the documents use: `.`, `.a.b`, `.a[].b`, `{a, b}`, -r. */
import { readFileSync } from 'node:fs';

const args = process.argv.slice(2);
const raw = args[0] === '-r';
const filter = args.at(-1) ?? '.';

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
