import type { JsonSchema } from '../../../../../libs/contracts/message-schema.js';
import { escapeHtml } from '../page.js';

type Property = { readonly name: string; readonly type: string; readonly isRequired: boolean; readonly meaning: string };
/** The heading above the properties of one form, in the table of an object with several forms (`oneOf`). */
type Form = { readonly form: string };
type Row = Property | Form;

/** Creates the table of an object's properties. Properties of nested objects have dotted paths. */
export const schemaTable = (schema: JsonSchema): string => {
  const rows = rowsOf(schema, '');
  if (rows.length === 0) return '<p class="quiet">No data.</p>';
  return `<table class="rows fields"><thead><tr><th scope="col">Name</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead><tbody>${rows.map(rowHtml).join('')}</tbody></table>`;
};

const rowHtml = (row: Row): string =>
  'form' in row
    ? `<tr><td colspan="3" class="quiet">${wordsHtml(row.form)}:</td></tr>`
    : `<tr><td><code>${pathHtml(row.name)}</code>${row.isRequired ? '' : '<small>optional</small>'}</td><td>${row.type}</td><td>${wordsHtml(row.meaning)}</td></tr>`;

const rowsOf = (schema: JsonSchema, prefix: string): readonly Row[] => {
  const required = new Set((schema['required'] ?? []) as readonly string[]);
  return Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>).flatMap(([key, part]) => {
    const name = `${prefix}${key}`;
    return [{ name, type: typeHtml(part), isRequired: required.has(key), meaning: descriptionOf(part) }, ...nestedRows(part, `${name}.`)];
  });
};

/**
 * Returns the rows of a nested object. If the object has several forms, each form has a heading. Returns no rows for a
 * value that is no object.
 */
const nestedRows = (schema: JsonSchema, prefix: string): readonly Row[] => {
  const forms = ((schema['oneOf'] ?? [schema]) as readonly JsonSchema[]).filter(({ properties }) => properties !== undefined);
  if (forms.length === 1) return forms.flatMap((form) => rowsOf(form, prefix));
  return forms.flatMap((form) => [{ form: descriptionOf(form) }, ...rowsOf(form, prefix)]);
};

const descriptionOf = ({ description = '' }: JsonSchema): string => String(description);

const typeHtml = (schema: JsonSchema): string => {
  const { const: constant, enum: words, format, items, oneOf: forms, type } = schema;
  if (constant !== undefined) return codeHtml(constant);
  if (Array.isArray(words)) return words.map(codeHtml).join(' ');
  if (Array.isArray(forms)) return [...new Set((forms as readonly JsonSchema[]).map(typeHtml))].join(' or ');
  if (items !== undefined) return `list of ${typeHtml(items as JsonSchema)}`;
  return escapeHtml(typeof format === 'string' ? format : [type].flat().join(' or '));
};

const codeHtml = (value: unknown): string => `<code>${escapeHtml(JSON.stringify(value))}</code>`;

/** Escapes a dotted name for HTML, with possible line breaks after its dots. */
export const pathHtml = (path: string): string => escapeHtml(path).replaceAll('.', '.<wbr>');

/** Converts text to HTML, with parts between backticks as code. */
export const wordsHtml = (words: string): string => escapeHtml(words).replace(/`([^`]+)`/g, '<code>$1</code>');
