/**
 * Where the options that users may set are read. The names come from the product's own tables; an option that nobody reads would be
 * accepted and ignored.
 */
import { join } from 'node:path';
import { clusterSettingNames } from '../../packages/cluster/src/settings/cluster-setting-registry.ts';
import type { RestApi } from '../../packages/rest/src/api/rest-api.ts';
import { REST_APIS } from '../../packages/rest/src/rest-apis.ts';
import { knownIndexSettings } from '../../packages/schema/src/settings/index-setting-registry.ts';
import { type SourceFile, withoutComments } from './source-tree.test-support.ts';

const ROUTES = 'packages/rest/src/rest-routes.ts';
const TYPED_SETTINGS = 'packages/schema/src/settings/typed-index-settings.ts';
/** Files that list names, defaults or checks of settings, and act on none. */
const LISTS: readonly string[] = [
  'packages/schema/src/settings/index-setting-registry.ts',
  'packages/schema/src/settings/index-setting-rule.ts',
  'packages/cluster/src/settings/cluster-setting-registry.ts',
  'packages/rest/src/indices/settings/index-setting-defaults.ts',
  'packages/rest/src/cluster/get-settings.ts',
  'packages/node/src/settings/node-settings.ts',
  'packages/node/src/settings/coordination-setting-definitions.ts',
];

/** Index settings that stand in the table of those that are read, and are not. */
export function unreadIndexSettings(product: readonly SourceFile[]): readonly string[] {
  const texts = literals(product);
  const typed = typedSettings(product);
  return [...knownIndexSettings()]
    .filter(([, effect]) => effect === 'read' || effect === 'group')
    .map(([name]) => name)
    .filter((name) => !isRead(name.replace(/\.$/, ''), texts) && !typed.has(name.replace(/^index\./, '')));
}

/** Cluster settings that nobody reads. */
export function unreadClusterSettings(product: readonly SourceFile[]): readonly string[] {
  const texts = literals(product);
  return clusterSettingNames().filter((name) => !isRead(name.replace(/\.\*$/, ''), texts));
}

/** A name is read by itself, or by its beginning: `index.search.slowlog.threshold.query`, to which the reader adds a level. */
function isRead(name: string, texts: ReadonlySet<string>): boolean {
  if (texts.has(name)) return true;
  const parent = name.slice(0, name.lastIndexOf('.'));
  return parent.split('.').length > 2 && texts.has(parent);
}

/** Texts in quotes that product files outside the lists have. */
function literals(product: readonly SourceFile[]): ReadonlySet<string> {
  const found = new Set<string>();
  for (const file of product) {
    if (LISTS.includes(file.path) || file.path === TYPED_SETTINGS) continue;
    for (const [, text = ''] of withoutComments(file.text).matchAll(/'([a-z_]+(?:\.[a-z_]+)+)\.?'/g)) found.add(text);
  }
  return found;
}

/** Names, without `index.`, behind the members of the typed settings that somebody outside reads. */
function typedSettings(product: readonly SourceFile[]): ReadonlySet<string> {
  const typed = withoutComments(product.find((file) => file.path === TYPED_SETTINGS)?.text ?? '');
  const used = new Set(
    product.filter((file) => file.path !== TYPED_SETTINGS).flatMap((file) => file.code.match(/\b[a-z]\w+\b/g) ?? []),
  );
  const found = new Set<string>();
  let member = '';
  for (const line of typed.slice(typed.indexOf('export function')).split('\n')) {
    // A member, a constant that becomes one, or a function of its own.
    member =
      /^ {4}(\w+)[:,]|^ {2}const (\w+) = (?!\()|^export function (\w+)/.exec(line)?.slice(1).find(Boolean) ?? member;
    for (const [, key = ''] of line.matchAll(/'(?:index\.)?([a-z_]+(?:\.[a-z_]+)*)'/g)) {
      if (used.has(member) || member === 'refresh') found.add(key);
    }
  }
  return found;
}

/** Parameters of routes that neither have a reason to be left alone nor a reader in what the API's file imports. */
export async function unreadParameters(product: readonly SourceFile[]): Promise<readonly string[]> {
  const rest = new Map(product.filter((file) => file.room === 'rest').map((file) => [file.path, file]));
  const imports = new Map([...rest].map(([path, file]) => [path, importsWithin(file, rest)]));
  const readers = new Map([...rest].map(([path, file]) => [path, namesRead(withoutComments(file.text))]));
  // The search itself, whose parameters are handed on as they are.
  const searching = namesRead(
    product
      .filter(({ path }) => /^packages\/(query\/src\/(hits|search|suggest)|coordinator)\//.test(path))
      .map((file) => withoutComments(file.text))
      .join('\n'),
  );
  // What is wrapped around every API.
  const around = (imports.get(ROUTES) ?? []).filter((path) => !path.endsWith('/rest-apis.ts'));
  const unread: string[] = [];
  for (const [path, file] of rest) {
    if (file.path.endsWith('index.ts') || !/RestApi = |catApi\(/.test(file.code)) continue;
    const reachable = closure(path, imports);
    const handsOn = [...reachable].some((one) => rest.get(one)?.code.includes('params.entries()'));
    const module: Readonly<Record<string, unknown>> = await import(`../../${path}`);
    for (const api of REST_APIS.filter((one) => Object.values(module).includes(one))) {
      for (const name of declaredNames(api)) {
        const isRead =
          [...reachable, ...around].some((one) => readers.get(one)?.has(name)) || (handsOn && searching.has(name));
        if (!isRead) unread.push(`${api.methods[0]} ${api.paths[0]}: ${name}`);
      }
    }
  }
  return unread;
}

function declaredNames({ params = {} }: RestApi): readonly string[] {
  return Object.entries(params)
    .filter(([, type]) => !(typeof type === 'object' && 'because' in type))
    .map(([name]) => name);
}

/** Names in quotes that are no keys of declarations, and members taken from `params`. */
function namesRead(text: string): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [, name = ''] of text.matchAll(/'([a-z_]+)'(?!:)/g)) names.add(name);
  for (const [, name = ''] of text.matchAll(/\bparams\.([a-z_]+)\b/g)) names.add(name);
  for (const [, list = ''] of text.matchAll(/\{([^{}]*)\} = params\b/g)) {
    for (const [name] of list.matchAll(/[a-z_]+/g)) names.add(name);
  }
  // Refused as a whole.
  for (const [, table = ''] of text.matchAll(/\bUNSUPPORTED_PARAMETERS\b[^{]*\{([^}]*)\}/g)) {
    for (const [name] of table.matchAll(/[a-z_]+(?=:)/g)) names.add(name);
  }
  return names;
}

function importsWithin(file: SourceFile, rest: ReadonlyMap<string, SourceFile>): readonly string[] {
  return [...file.text.matchAll(/from '(\.[^']+)'/g)]
    .map(([, name = '']) => join(file.path, '..', name))
    .filter((path) => rest.has(path));
}

function closure(start: string, imports: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const seen = new Set([start]);
  for (const path of seen) for (const next of imports.get(path) ?? []) seen.add(next);
  return seen;
}
