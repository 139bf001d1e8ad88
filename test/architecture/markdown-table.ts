/** The lines of a Markdown table. */
export type Table = readonly string[];

export const code = (text: string): string => `\`${text}\``;

export const row = (...cells: readonly (string | number)[]): string =>
  `|${cells.map((cell) => (cell === '' ? ' ' : ` ${cell} `)).join('|')}|`;

export const table = (heading: readonly string[], rows: readonly string[]): Table => [
  row(...heading),
  `|${'---|'.repeat(heading.length)}`,
  ...rows,
];
