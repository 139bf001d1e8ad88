import { code, row, table, type Table } from './markdown-table.js';

/** A schema of the OpenAPI document. */
type FieldSchema = {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly string[];
  readonly items?: FieldSchema;
  readonly 'x-default'?: unknown;
  readonly readOnly?: boolean;
  readonly writeOnly?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxItems?: number;
};

type ObjectSchema = { readonly properties: Readonly<Record<string, FieldSchema>>; readonly required?: readonly string[] };

/** The schemas of the OpenAPI document, by name. */
export type Schemas = Readonly<Record<string, ObjectSchema>>;

/** The names of the schemas of a new resource, in a request, and of a resource in an answer. */
type Resource = { readonly added: string; readonly shown: string };

/** Longer lists of values are not shown. */
const MAX_VALUES = 8;
/** A maximum from here on is a limit of the type, and not of the field. */
const NO_MAXIMUM = 2 ** 31 - 1;

const TYPES: Readonly<Record<string, string>> = { uuid: 'uuid', date: 'date', 'date-time': 'time', uri: 'link', string: 'text' };

const typeOf = ({ $ref, type = '', format = '', enum: values, items }: FieldSchema): string => {
  if ($ref !== undefined) return 'object';
  if (values) return 'enum';
  if (items) return `list of ${typeOf(items)}s`;
  return TYPES[format] ?? TYPES[type] ?? type;
};

const rangeOf = (from: number | undefined, to: number | undefined, unit = ''): string => {
  if (to === undefined || to >= NO_MAXIMUM) return from === undefined ? '' : `at least ${from}${unit}`;
  return from === undefined ? `up to ${to.toLocaleString('en-US')}${unit}` : `${from} to ${to.toLocaleString('en-US')}${unit}`;
};

const valuesOf = (values: readonly string[]): string =>
  values.length > MAX_VALUES ? `one of ${values.length} values` : values.map(code).join(', ');

const limitsOf = (field: FieldSchema): string =>
  [
    field.enum ? valuesOf(field.enum) : '',
    field.minLength === undefined && field.maxLength === undefined ? '' : rangeOf(field.minLength, field.maxLength, ' characters'),
    field.minimum === undefined && field.maximum === undefined ? '' : rangeOf(field.minimum, field.maximum),
    field.maxItems === undefined ? '' : rangeOf(undefined, field.maxItems, ' items'),
    field['x-default'] === undefined ? '' : `default \`${JSON.stringify(field['x-default']).replaceAll('"', '')}\``,
    field.writeOnly ? 'never shown' : '',
  ]
    .filter((limit) => limit !== '')
    .join('; ');

/** The column of limits has the default. */
const meaningOf = ({ description = '' }: FieldSchema): string => description.replace(/\. The default is .*$/, '').replaceAll('|', '\\|');

const USES = ['required', 'optional', 'ignored', 'rejected'] as const;
type Use = (typeof USES)[number];
const orderOf = (use: Use): number => USES.indexOf(use);

const useOf = (name: string, { properties, required = [] }: ObjectSchema): Use => {
  const field = properties[name];
  if (!field) return 'rejected';
  if (field.readOnly) return 'ignored';
  return required.includes(name) ? 'required' : 'optional';
};

/**
 * Returns a table of the fields of a resource: what a request that adds the resource may have, and what an answer shows. Limits and
 * meanings are those of the request.
 */
export const fieldTable = (schemas: Schemas, { added, shown }: Resource): Table => {
  const [request, answer] = [schemas[added], schemas[shown]];
  if (!request || !answer) throw new Error(`the OpenAPI document has no schema ${request ? shown : added}`);
  const names = [...new Set([...Object.keys(request.properties), ...Object.keys(answer.properties)])];
  const byUse = names.map((name) => [name, useOf(name, request)] as const).toSorted(([, one], [, other]) => orderOf(one) - orderOf(other));
  const fields = byUse.map(([name, use]) => {
    const sent = use === 'required' || use === 'optional' ? request.properties[name] : undefined;
    const field = sent ?? answer.properties[name] ?? {};
    return row(code(name), typeOf(field), use, limitsOf(field), meaningOf(field));
  });
  return table(['Field', 'Type', 'Create', 'Limits', 'Meaning'], fields);
};
