/** Returns the rows of the table in a Markdown text, without the heading row. Each row is a list of cells. */
export const rowsIn = (text: string): readonly (readonly string[])[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split('|').slice(1, -1))
    .map((cells) => cells.map((cell) => cell.trim()));

/** Returns the code spans in a cell, without their backquotes. */
export const codesIn = (cell = ''): readonly string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => code ?? '');
