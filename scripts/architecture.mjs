import { writeFileSync } from 'node:fs';
import { BESIDE_THE_PRODUCT, FLOORS, FORBIDDEN } from '../.dependency-cruiser.js';
import { inRoot } from './workspace.mjs';

/** Where the drawing is kept. */
export const ARCHITECTURE = 'docs/architecture.md';

const ADAPTERS = 'libs/adapters';
const isAdapter = (folder) => folder.startsWith(`${ADAPTERS}/`);
/** The adapters are drawn as one: each imports the same, and none another. */
const drawn = (folder) => (isAdapter(folder) ? ADAPTERS : folder);

/** What each drawn folder, or a part of it, may import. */
const arrowsOf = (floors) => {
  const arrows = new Map();
  for (const { folder, imports = [], parts = [] } of floors.flat()) {
    const targets = [...imports, ...parts.flatMap((part) => part.imports ?? [])].map(drawn);
    arrows.set(drawn(folder), new Set([...(arrows.get(drawn(folder)) ?? []), ...targets]));
  }
  return arrows;
};

/**
 * The arrows from which all others follow: where A may import B and B may import C, A may import C. Throws where that does
 * not hold, since the drawing would then say more than the rule.
 */
const drawnArrows = (arrows) => {
  const follows = (from, to) => [...arrows.get(from)].some((over) => over !== to && arrows.get(over)?.has(to));
  for (const [from, targets] of arrows)
    for (const over of targets)
      for (const to of arrows.get(over))
        if (!targets.has(to)) throw new Error(`${from} imports ${over}, which imports ${to}, but ${from} may not import ${to}`);
  return [...arrows].flatMap(([from, targets]) => [...targets].filter((to) => !follows(from, to)).map((to) => [from, to]));
};

const idOf = (folder) => folder.replaceAll('/', '_');
/** The files of a folder that alone may import the other; none where all may. */
const partsThatImport = (from, to) =>
  FLOORS.flat()
    .filter(({ folder, imports = [] }) => drawn(folder) === from && !imports.some((one) => drawn(one) === to))
    .flatMap(({ parts = [] }) => parts.filter(({ imports = [] }) => imports.some((one) => drawn(one) === to)))
    .flatMap(({ files }) => files);

const diagram = () => {
  const box = (folder) => `  ${idOf(folder)}["${folder}"]`;
  const arrow = ([from, to]) => {
    const files = partsThatImport(from, to);
    return files.length > 0 ? `  ${idOf(from)} -. "${files.join(', ')}" .-> ${idOf(to)}` : `  ${idOf(from)} --> ${idOf(to)}`;
  };
  const folders = FLOORS.flat().map(({ folder }) => folder);
  return [
    'flowchart TD',
    ...folders.filter((folder) => !isAdapter(folder)).map(box),
    `  subgraph ${idOf(ADAPTERS)}["${ADAPTERS}"]`,
    ...folders.filter(isAdapter).map((folder) => `  ${box(folder)}`),
    '  end',
    ...drawnArrows(arrowsOf(FLOORS)).map(arrow),
  ];
};

const coded = (names = []) => (names.length > 0 ? names.map((name) => `\`${name}\``).join(', ') : '–');
const short = (folders = []) => folders.map((folder) => folder.replace(/^libs\//, ''));
const row = (...cells) => `| ${cells.join(' | ')} |`;
const table = (heads, rows) => [row(...heads), row(...heads.map(() => '---')), ...rows.map((cells) => row(...cells))];

const folderRow = ({ folder, answers, imports, npm, node }) => [`\`${folder}\``, answers, coded(short(imports)), coded(npm), coded(node)];
const partRow = (folder, { files, imports = [], npm = [], node = [], why }) => {
  const more = [...new Set(imports.map(drawn))].concat(
    npm,
    node.map((name) => `node:${name}`),
  );
  return [coded(files.map((file) => `${folder}/${file}`)), coded(more), why];
};

/** The text of docs/architecture.md. */
export const architectureDocument = () => {
  const folders = FLOORS.flat();
  return `${[
    '# Architecture: who may import whom',
    '',
    'Drawn from `.dependency-cruiser.js` by `npm run format`. What stands here is changed there; a test compares the two.',
    '',
    'The rule is an allow-list: `npm run check` fails on every import that it does not allow. Arrows only go downward. A folder may',
    'import every folder that its arrows reach, directly or over others. A dotted arrow holds for the files that it names.',
    '',
    '```mermaid',
    ...diagram(),
    '```',
    '',
    '## Folders',
    '',
    ...table(['Folder', 'The question it answers', 'Imports', 'Packages', 'Modules of Node'], folders.map(folderRow)),
    '',
    'Each list is complete, and names nothing that is not used. Type-only imports count. Folders without `apps/` are those of `libs`.',
    '',
    '## Files that may import more',
    '',
    ...table(
      ['Files', 'Also import', 'Why'],
      folders.flatMap(({ folder, parts = [] }) => parts.map((part) => partRow(folder, part))),
    ),
    '',
    '## Inside a folder',
    '',
    ...folders.filter(({ within }) => within).map(({ folder, within }) => `- \`${folder}\`: ${within.rule}`),
    '- Files of all other folders may import each other.',
    '',
    '## Everywhere',
    '',
    ...FORBIDDEN.map(({ comment }) => `- ${comment}`),
    '',
    '## Tests and examples',
    '',
    ...BESIDE_THE_PRODUCT.map(({ comment }) => `- ${comment}`),
  ].join('\n')}\n`;
};

/** Draws docs/architecture.md anew. */
export const drawArchitecture = () => writeFileSync(inRoot(ARCHITECTURE), architectureDocument());
