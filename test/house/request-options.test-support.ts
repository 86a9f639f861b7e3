/**
 * Options of mappings, analysis and request bodies that are taken and never read.
 */
import { createAnalyzers } from '../../packages/analysis/src/registry/analyzer-registry.ts';
import { ANALYZER_TYPES } from '../../packages/analysis/src/registry/analyzer-types.ts';
import { CHAR_FILTER_TYPES } from '../../packages/analysis/src/registry/char-filter-types.ts';
import { TOKEN_FILTER_TYPES } from '../../packages/analysis/src/registry/token-filter-types.ts';
import { TOKENIZER_TYPES } from '../../packages/analysis/src/registry/tokenizer-types.ts';
import type { ComponentOptions } from '../../packages/analysis/src/tokens/component-options.ts';
import { isShoalError } from '../../packages/core/src/index.ts';
import type { ParameterRule } from '../../packages/schema/src/field-types/contract/parameter-rule.ts';
import { declaredType, isReference } from '../../packages/schema/src/field-types/declared-types.ts';
import { type SourceFile, withoutComments } from './source-tree.test-support.ts';

const TYPES = 'packages/schema/src/field-types/declared-types.ts';

/** Parameters of fields that neither have a reason to be left alone nor a reader. */
export function unreadMappingParameters(product: readonly SourceFile[]): readonly string[] {
  // What every type has is resolved in one place; what the engine needs as declared it reads by name.
  const elsewhere = product
    .filter((file) => file.path.endsWith('/resolve-field.ts') || file.room === 'engine')
    .map((file) => withoutComments(file.text))
    .join('\n');
  const names = product
    .find((file) => file.path === TYPES)
    ?.code.matchAll(/readonly (\w+): (?:Declared|Reference)Type/g);
  return [...(names ?? [])].flatMap(([, name = '']) => {
    const type = declaredType(name);
    if (type === null) return [`${name}: no such type`];
    const read = new Set<string>();
    if (isReference(type)) type.target(recording({ path: 'a' }, read));
    else {
      type.settings((key) => {
        read.add(key);
        return type.parameters.get(key)?.otherwise;
      });
    }
    return [...type.parameters]
      .filter(
        ([key, rule]) =>
          mustBeRead(rule) && !read.has(key) && !elsewhere.includes(`'${key}'`) && !elsewhere.includes(`.${key}`),
      )
      .map(([key]) => `${name}: ${key}`);
  });
}

/** One choice alone is no choice: the others are refused. */
function mustBeRead(rule: ParameterRule): boolean {
  if (rule.kind === 'choice') return rule.choices.length > 1;
  return rule.kind !== 'opaque' && rule.kind !== 'withoutEffect' && rule.kind !== 'removed';
}

/** Options of analysis components that building one does not look at. */
export function unreadAnalysisOptions(): readonly string[] {
  const context = createAnalyzers({}).context(null);
  const built = [
    ...CHAR_FILTER_TYPES.map((known) => ({ ...known, create: (o: ComponentOptions) => known.create(o, 'x') })),
    ...TOKEN_FILTER_TYPES.map((known) => ({
      ...known,
      create: (o: ComponentOptions) => known.create(o, context, known.type),
    })),
    ...TOKENIZER_TYPES.map((known) => ({ ...known, create: (o: ComponentOptions) => known.create(o, context) })),
    ...ANALYZER_TYPES.map(({ type, options, create }) => ({
      type,
      options,
      create: (o: ComponentOptions) => create(type, o),
    })),
  ];
  return built.flatMap(({ type, options, create }) => {
    const read = new Set<string>();
    try {
      create(recording<ComponentOptions>({}, read));
    } catch (error) {
      // Without options it is refused, after it has looked for them.
      if (!isShoalError(error)) throw error;
    }
    return options.filter((name) => !read.has(name)).map((name) => `${type}: ${name}`);
  });
}

/** The object, with the names of the members that are looked at put into `read`. */
function recording<T extends object>(object: T, read: Set<string>): T {
  return new Proxy(object, {
    get: (target, name, receiver) => {
      read.add(String(name));
      return Reflect.get(target, name, receiver);
    },
  });
}

/** Members of request trees that nobody who executes a request mentions. */
export function unreadRequestMembers(product: readonly SourceFile[]): readonly string[] {
  const executing = ['engine', 'coordinator', 'rest', 'shards'];
  const words = new Set(
    product.filter((file) => executing.includes(file.room ?? '')).flatMap((file) => file.code.match(/\w+/g) ?? []),
  );
  return product
    .filter((file) => file.room === 'query')
    .flatMap((file) =>
      [...file.code.matchAll(/export interface (\w+)[^{]*\{([^}]*)\}/g)].flatMap(([, type = '', body = '']) =>
        [...body.matchAll(/readonly (\w+)\??:/g)]
          .filter(([, name = '']) => !words.has(name))
          .map(([, name]) => `${file.path}: ${type}.${name}`),
      ),
    );
}

/** Members of requests whose case ends at once: an option that is left alone names its reason by `withoutEffect`. */
export function emptyCases(product: readonly SourceFile[]): readonly string[] {
  const reading = ['query', 'aggregations', 'rest'];
  return product
    .filter((file) => reading.includes(file.room ?? ''))
    .flatMap((file) =>
      [...withoutComments(file.text).matchAll(/case '([a-z_]+)':\s*(?:break|return true|return|continue);/g)].map(
        ([, name]) => `${file.path}: ${name}`,
      ),
    );
}
