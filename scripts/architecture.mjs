import { BESIDE_THE_PRODUCT, LAYERS, FORBIDDEN } from '../.dependency-cruiser.js';
import { writeDocument } from './workspace.mjs';

/** The path of the document. */
export const ARCHITECTURE = 'docs/architecture.md';

const ADAPTERS = 'libs/adapters';
const isAdapter = (folder) => folder.startsWith(`${ADAPTERS}/`);
/** Returns the box of a folder in the diagram. All adapters share one box, because their imports hardly differ: the table shows them. */
const boxOf = (folder) => (isAdapter(folder) ? ADAPTERS : folder);

/** Maps each box to the boxes that it may import. Includes the boxes that only some of its files may import. */
const arrowsOf = (layers) => {
  const arrows = new Map();
  for (const { folder, imports = [], parts = [] } of layers.flat()) {
    const targets = [...imports, ...parts.flatMap((part) => part.imports ?? [])].map(boxOf);
    arrows.set(boxOf(folder), new Set([...(arrows.get(boxOf(folder)) ?? []), ...targets]));
  }
  return arrows;
};

/**
 * Returns the arrows that the diagram shows. The diagram omits implied arrows: A → B and B → C imply A → C. Throws if the
 * rule forbids an implied import, because the diagram would then be wrong.
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
/** Returns the files of `from` that may import `to`. Returns an empty list if every file of `from` may import it. */
const partsThatImport = (from, to) =>
  LAYERS.flat()
    .filter(({ folder, imports = [] }) => boxOf(folder) === from && !imports.some((one) => boxOf(one) === to))
    .flatMap(({ parts = [] }) => parts.filter(({ imports = [] }) => imports.some((one) => boxOf(one) === to)))
    .flatMap(({ files }) => files);

const diagram = () => {
  const box = (folder) => `  ${idOf(folder)}["${folder}"]`;
  const arrow = ([from, to]) => {
    const files = partsThatImport(from, to);
    return files.length > 0 ? `  ${idOf(from)} -. "${files.join(', ')}" .-> ${idOf(to)}` : `  ${idOf(from)} --> ${idOf(to)}`;
  };
  const folders = LAYERS.flat().map(({ folder }) => folder);
  return [
    'flowchart TD',
    ...folders.filter((folder) => !isAdapter(folder)).map(box),
    `  subgraph ${idOf(ADAPTERS)}["${ADAPTERS}"]`,
    ...folders.filter(isAdapter).map((folder) => `  ${box(folder)}`),
    '  end',
    ...drawnArrows(arrowsOf(LAYERS)).map(arrow),
  ];
};

const coded = (names = []) => (names.length > 0 ? names.map((name) => `\`${name}\``).join(', ') : '–');
const short = (folders = []) => folders.map((folder) => folder.replace(/^libs\//, ''));
const row = (...cells) => `| ${cells.join(' | ')} |`;
const table = (heads, rows) => [row(...heads), row(...heads.map(() => '---')), ...rows.map((cells) => row(...cells))];

const folderRow = ({ folder, answers, imports, npm, node }) => [`\`${folder}\``, answers, coded(short(imports)), coded(npm), coded(node)];
const partRow = (folder, { files, imports = [], npm = [], node = [], why }) => {
  const more = [...new Set(imports.map(boxOf))].concat(
    npm,
    node.map((name) => `node:${name}`),
  );
  return [coded(files.map((file) => `${folder}/${file}`)), coded(more), why];
};

/** Returns the text of docs/architecture.md. */
export const architectureDocument = () => {
  const folders = LAYERS.flat();
  return `${[
    '# Architecture: who may import whom',
    '',
    'Generated from `.dependency-cruiser.js` by `npm run format`. Edit that file; a test compares the two.',
    '',
    '[life-of-an-order.md](life-of-an-order.md) follows one order through these folders.',
    '[life-of-a-request.md](life-of-a-request.md) lists the steps of a request. Nest composes the modules, dispatches requests and',
    'carries commands and queries; Fastify receives and admits requests.',
    '',
    'The rules are an allow-list: `npm run check` fails on every import that they do not allow. Arrows lead only downward.',
    'A folder may import every folder that its arrows reach, directly or through others. A dotted arrow is valid only for',
    'the files that it names.',
    '',
    '```mermaid',
    ...diagram(),
    '```',
    '',
    '## Folders',
    '',
    ...table(['Folder', 'The question it answers', 'Imports', 'Packages', 'Modules of Node'], folders.map(folderRow)),
    '',
    'Each list has every import that is allowed in all files of the folder. At least one file uses each of these imports.',
    'Type-only imports count as imports. A folder in the column Imports is in `libs` unless its name begins with `apps/`.',
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

/** Writes docs/architecture.md. */
export const drawArchitecture = () => writeDocument(ARCHITECTURE, architectureDocument());
