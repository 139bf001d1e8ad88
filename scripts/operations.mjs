/** The document that has the table of operations. */
export const API_GUIDE = 'docs/api.md';

const code = (text) => `\`${text}\``;
const row = (...cells) => `| ${cells.join(' | ')} |`;
const HEADING = row('Operation', 'Method and path', '`documented` needs', '`strict` needs', 'Whose data', 'Tenant');

const NEEDS = { nothing: 'nothing' };
const needs = (requirement, { notForClients }) =>
  typeof requirement === 'object'
    ? [requirement.scope, requirement.or].filter(Boolean).map(code).join(' or ')
    : (NEEDS[requirement] ?? (notForClients ? 'a token that no client has' : 'a token'));

const OWN_DATA = { owner: 'own orders', account: 'own account', applicant: 'own applications', subject: 'own' };

/** Returns a text that says whose data a caller can access: `own orders, or all with write:orders`. '' means all data. */
const ownership = (requirement, staff) => {
  const own = OWN_DATA[requirement];
  if (!own) return '';
  return staff[requirement] ? `${own}, or all with ${code(staff[requirement])}` : own;
};

const ownershipCell = ({ documented, strict }, staff) => {
  const [usually, strictly] = [ownership(documented, staff), ownership(strict, staff)];
  if (usually === strictly) return usually || 'all';
  return `all; ${code('strict')}: ${strictly}`;
};

const tenantCell = ({ wholeStore, access }) => {
  if (!wholeStore) return 'its own';
  return access.documented === 'nothing' ? 'whole store' : 'whole store; no bound token';
};

const operationRow = (staff) => (operation) => {
  const { id, method, path, access } = operation;
  return row(
    code(id),
    `${method} ${path}`,
    needs(access.documented, operation),
    needs(access.strict, operation),
    ownershipCell(access, staff),
    tenantCell(operation),
  );
};

const TABLE = /^\| Operation \| .*\n(?:\|.*\n)*/m;

/**
 * Returns the document with the current table of operations. The caller passes the operations and the scopes of staff,
 * because they are in TypeScript sources, which this file does not import.
 */
export const withOperationTable = (document, operations, staff) => {
  if (!TABLE.test(document)) throw new Error('the document has no table of operations');
  const lines = [HEADING, row(...Array(6).fill('---')), ...Object.values(operations).map(operationRow(staff))];
  return document.replace(TABLE, () => `${lines.join('\n')}\n`);
};
