import type { JsonSchema } from '../../../../../libs/contracts/message-schema.js';
import { escapeHtml } from '../page.js';

type Property = { readonly name: string; readonly type: string; readonly always: boolean; readonly meaning: string };
/** Begins the properties of one of several forms that an object may have. */
type Form = { readonly form: string };
type Row = Property | Form;

/** What an object says, property by property; those of objects in it by their dotted path. */
export const schemaTable = (schema: JsonSchema): string => {
  const rows = rowsOf(schema, '');
  if (rows.length === 0) return '<p class="quiet">No data.</p>';
  return `<div class="wide"><table class="fields"><thead><tr><th>Name</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows.map(rowHtml).join('')}</tbody></table></div>`;
};

const rowHtml = (row: Row): string =>
  'form' in row
    ? `<tr><td colspan="3" class="quiet">${wordsHtml(row.form)}:</td></tr>`
    : `<tr><td><code>${pathHtml(row.name)}</code>${row.always ? '' : '<small>sometimes</small>'}</td><td>${row.type}</td><td>${wordsHtml(row.meaning)}</td></tr>`;

const rowsOf = (schema: JsonSchema, prefix: string): readonly Row[] => {
  const required = new Set((schema['required'] ?? []) as readonly string[]);
  return Object.entries((schema['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>).flatMap(([key, part]) => {
    const name = `${prefix}${key}`;
    return [{ name, type: typeHtml(part), always: required.has(key), meaning: wordsOf(part) }, ...insideOf(part, `${name}.`)];
  });
};

/** What stands in an object, form by form where there are several. */
const insideOf = (schema: JsonSchema, prefix: string): readonly Row[] => {
  const forms = ((schema['oneOf'] ?? [schema]) as readonly JsonSchema[]).filter(({ properties }) => properties !== undefined);
  if (forms.length === 1) return forms.flatMap((form) => rowsOf(form, prefix));
  return forms.flatMap((form) => [{ form: wordsOf(form) }, ...rowsOf(form, prefix)]);
};

const wordsOf = ({ description = '' }: JsonSchema): string => String(description);

const typeHtml = (schema: JsonSchema): string => {
  const { const: constant, enum: words, format, items, oneOf: forms, type } = schema;
  if (constant !== undefined) return codeHtml(constant);
  if (Array.isArray(words)) return words.map(codeHtml).join(' ');
  if (Array.isArray(forms)) return [...new Set((forms as readonly JsonSchema[]).map(typeHtml))].join(' or ');
  if (items !== undefined) return `list of ${typeHtml(items as JsonSchema)}`;
  return escapeHtml(typeof format === 'string' ? format : [type].flat().join(' or '));
};

const codeHtml = (value: unknown): string => `<code>${escapeHtml(JSON.stringify(value))}</code>`;

/** A long path may break behind its dots. */
const pathHtml = (path: string): string => escapeHtml(path).replaceAll('.', '.<wbr>');

/** Words, with what stands between backticks as code. */
export const wordsHtml = (words: string): string => escapeHtml(words).replace(/`([^`]+)`/g, '<code>$1</code>');

/** JSON, laid out to be read. */
export const jsonHtml = (value: unknown): string => `<pre><code>${escapeHtml(JSON.stringify(value, null, 2))}</code></pre>`;
