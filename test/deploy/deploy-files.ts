import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { ROOT } from '../servers/program.js';

export const DEPLOY = join(ROOT, 'deploy');
export const KUBERNETES = join(DEPLOY, 'kubernetes');

const read = (name: string): string => readFileSync(join(DEPLOY, name), 'utf8');

/** A service of compose.yaml, with the fields that the tests read. */
export type Container = {
  readonly image: string;
  readonly build?: object;
  readonly command?: readonly string[];
  readonly user?: string;
  readonly restart?: string;
  readonly read_only?: boolean;
  readonly tmpfs?: readonly string[];
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly mem_limit?: string;
  readonly networks?: readonly string[];
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly environment: Readonly<Record<string, string | number>>;
  readonly healthcheck?: object;
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
};

export type Compose = {
  readonly services: Readonly<Record<string, Container>>;
  readonly networks: Readonly<Record<string, { readonly internal?: boolean } | null>>;
  readonly volumes: Readonly<Record<string, null>>;
};

/** Reads compose.yaml without substituting its variables. */
export const readCompose = (): Compose => parse(read('compose.yaml'), { merge: true }) as Compose;

/** Matches a variable that may be unset, `${NAME:-}`. prepare.sh writes no value for such a variable. */
const OPTIONAL_VARIABLE = /(?<!\$)\$\{(\w+):-\}/g;
/** Matches a variable in compose.yaml. */
const VARIABLE = /(?<!\$)\$\{(\w+)(?::\?[^}]*)?\}/g;

/** Returns the names of all variables in compose.yaml. */
export const composeVariables = (): ReadonlySet<string> =>
  new Set([...read('compose.yaml').matchAll(VARIABLE)].map(([, name = '']) => name));

/** Returns the text with each variable replaced by its value. An unknown variable is replaced by an empty text. */
export const substituteVariables = (text: string, variables: Readonly<Record<string, string>>): string =>
  text
    .replace(OPTIONAL_VARIABLE, (_, name: string) => variables[name] ?? '')
    .replace(VARIABLE, (_, name: string) => variables[name] ?? '')
    .replaceAll('$$', '$');

/** Returns the variables in lines of the form `NAME=value`. Ignores other lines, such as comments. */
export const readVariables = (text: string): Readonly<Record<string, string>> =>
  Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));

/** Returns the variables of .env.example. */
export const exampleVariables = (): Readonly<Record<string, string>> => readVariables(read('.env.example'));

/** The common fields of all Kubernetes objects. */
export type KubernetesObject = {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly automountServiceAccountToken?: boolean;
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
  readonly spec?: unknown;
};

/** Returns the names of the manifest files, without kustomization.yaml, which lists them. */
export const manifestFiles = (): readonly string[] => readdirSync(KUBERNETES).filter((file) => file !== 'kustomization.yaml');

export const readKustomization = (): { readonly resources: readonly string[]; readonly images: readonly { readonly newTag: string }[] } =>
  parse(read('kubernetes/kustomization.yaml')) as ReturnType<typeof readKustomization>;

/** Returns all Kubernetes objects of the manifests. */
export const readManifests = (): readonly KubernetesObject[] =>
  manifestFiles().flatMap((file) => parseAllDocuments(read(`kubernetes/${file}`)).map((document) => document.toJS() as KubernetesObject));
