/** The path of the document. */
export const CONFIGURATION = 'docs/configuration.md';

const INTRODUCTION = `# Configuration

\`npm run format\` generates this page from \`libs/settings/setting-table.ts\`. Edit the table, not this page; a test compares the two.

Settings are environment variables, read once at start. An empty variable counts as absent.
Startup fails on an invalid or conflicting value and names the setting, the value and the expected form.
Messages never show the value of a secret.
`;

const code = (text) => `\`${text}\``;
const defaultOf = (setting) => (setting.default ? code(setting.default) : (setting.followsFrom ?? 'none'));
const row = (...cells) => `| ${cells.join(' | ')} |`;
const settingRow = (setting) =>
  row(`${code(setting.name)}${setting.isSecret ? ' (secret)' : ''}`, defaultOf(setting), setting.form.expected, setting.meaning);

const sectionText = ([title, section]) =>
  [
    `## ${title}`,
    '',
    row('Name', 'Default', 'Expected', 'Meaning'),
    row('---', '---', '---', '---'),
    ...Object.values(section).map(settingRow),
    '',
  ].join('\n');

/** Returns the text of docs/configuration.md. The caller passes the sections, because this file cannot import TypeScript. */
export const configurationDocument = (sections) => [INTRODUCTION, ...Object.entries(sections).map(sectionText)].join('\n');
