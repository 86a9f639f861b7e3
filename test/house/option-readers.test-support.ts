/**
 * Where the options that users may set are read. The names come from the product's own tables; an option that nobody reads would be
 * accepted and ignored.
 */
import { clusterSettingNames } from '../../packages/cluster/src/settings/cluster-setting-registry.ts';
import { knownIndexSettings } from '../../packages/schema/src/settings/index-setting-registry.ts';
import { type SourceFile, withoutComments } from './source-tree.test-support.ts';

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

/** Its reader comes with the parser of "query_string". */
const AWAITED: readonly string[] = ['index.query_string.lenient'];

/** Index settings that stand in the table of those that are read, and are not. */
export function unreadIndexSettings(product: readonly SourceFile[]): readonly string[] {
  const texts = literals(product);
  const typed = typedSettings(product);
  return [...knownIndexSettings()]
    .filter(([, effect]) => effect === 'read' || effect === 'group')
    .map(([name]) => name)
    .filter(
      (name) =>
        !AWAITED.includes(name) && !isRead(name.replace(/\.$/, ''), texts) && !typed.has(name.replace(/^index\./, '')),
    );
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
