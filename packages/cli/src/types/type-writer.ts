/**
 * Types of an index from its mapping: documents, fields that requests may name, and the client of both.
 *
 * The file that is written has tables alone; what may be asked of a field of which kind stands once, in the client's types. Nothing
 * in it depends on when or where it was written, so that the same mapping gives the same file.
 */
import type { FieldMapping, Mapping } from '@shoal/schema';
import { valueType } from './value-types.ts';

export interface TypeWriting {
  readonly name: string;
  /** Index that the client asks when it is told none; null: it must be told. */
  readonly index: string | null;
  /** Where the mapping was found, for the head of the file. */
  readonly source: string;
  /** Module that has the client. */
  readonly module: string;
  /** Fields that hold lists, by path, and all others do not; null: any may hold one value or many. */
  readonly lists: readonly string[] | null;
}

/** What an object of documents has, by name. */
interface DocumentObject {
  readonly path: string;
  readonly fields: Map<string, FieldMapping>;
  readonly objects: Map<string, DocumentObject>;
}

/** Fields that every index has. */
const EVERY_INDEX: readonly (readonly [string, string])[] = [
  ['_id', '_id'],
  ['_index', 'keyword'],
  ['_ignored', 'keyword'],
  ['_seq_no', 'long'],
];
/** Types whose values are searched by column where they are not indexed. */
const SEARCHED_BY_COLUMN =
  /^(?:keyword|boolean|date|date_nanos|ip|long|integer|short|byte|double|float|half_float|scaled_float|unsigned_long|geo_point)$/;
const WORDS: ReadonlySet<string> = new Set(['text', 'match_only_text', 'search_as_you_type']);
/** Types that have one way to be asked, whatever their declarations say. */
const ALWAYS_ASKED: ReadonlySet<string> = new Set(['completion', 'percolator', 'rank_feature', 'rank_features']);
const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

export function writeTypes(mapping: Mapping, writing: TypeWriting): string {
  const { name, index, source, module } = writing;
  const imports = new Set<string>(['IndexClient', ...(writing.lists === null ? ['OneOrMore'] : [])]);
  const root = documentTree(mapping);
  const unknownLists = (writing.lists ?? []).filter((path) => !isInDocuments(mapping, path));
  if (unknownLists.length > 0)
    throw new Error(`--lists names what is no field of documents: ${unknownLists.join(', ')}`);
  const documents = objectType(root, { mapping, lists: writing.lists, imports, indent: '' });
  const nested = mapping.nestedPaths.map(
    (path) => `    ${key(path)}: ${fieldTable(fieldsAround(mapping, path), '    ')};`,
  );
  const parameter = index === null ? 'index: string' : `index: string = ${JSON.stringify(index)}`;
  const client = `${name.charAt(0).toLowerCase()}${name.slice(1)}Client`;
  return [
    `/** Types of the mapping of ${source.replaceAll('*/', '*\\/')}, written by \`shoal types\`: write them anew when it changes. */`,
    `import { type ClientOptions, ${names(imports)}, SearchClient } from ${JSON.stringify(module)};`,
    '',
    '/** A document, as it is indexed and as hits show it. */',
    `export interface ${name}Document ${documents}`,
    '',
    '/** What requests may name. */',
    `export interface ${name} {`,
    `  document: ${name}Document;`,
    `  fields: ${fieldTable([...EVERY_INDEX, ...fieldsAround(mapping, '')], '  ')};`,
    nested.length === 0 ? '  nested: Record<never, never>;' : `  nested: {\n${nested.join('\n')}\n  };`,
    `  paths: ${pathUnion(mapping)};`,
    '}',
    '',
    `export type ${name}Client = IndexClient<${name}>;`,
    '',
    `export function ${client}(options: ClientOptions, ${parameter}): ${name}Client {`,
    `  return new SearchClient(options).index<${name}>(index);`,
    '}',
    '',
  ].join('\n');
}

function names(imports: ReadonlySet<string>): string {
  return [...imports]
    .sort()
    .map((imported) => `type ${imported}`)
    .join(', ');
}

function key(name: string): string {
  return IDENTIFIER.test(name) ? name : JSON.stringify(name);
}

function documentTree(mapping: Mapping): DocumentObject {
  const root = emptyObject('');
  const objectAt = (path: string): DocumentObject => {
    if (path === '') return root;
    const { parent, last } = split(mapping, path);
    const outer = objectAt(parent);
    const known = outer.objects.get(last) ?? emptyObject(path);
    outer.objects.set(last, known);
    return known;
  };
  for (const path of mapping.objects.keys()) objectAt(path);
  for (const field of mapping.fields.values()) {
    if (field.isMultiField) continue;
    const { parent, last } = split(mapping, field.path);
    objectAt(parent).fields.set(last, field);
  }
  return root;
}

function emptyObject(path: string): DocumentObject {
  return { path, fields: new Map(), objects: new Map() };
}

/** The nearest object around a path, and what is left of it: a name with dots where objects have none of their own. */
function split(mapping: Mapping, path: string): { readonly parent: string; readonly last: string } {
  for (let dot = path.lastIndexOf('.'); dot > 0; dot = path.lastIndexOf('.', dot - 1)) {
    const parent = path.slice(0, dot);
    if (mapping.isObject(parent)) return { parent, last: path.slice(dot + 1) };
  }
  return { parent: '', last: path };
}

interface DocumentWriting {
  readonly mapping: Mapping;
  readonly lists: readonly string[] | null;
  readonly imports: Set<string>;
  readonly indent: string;
}

function objectType(object: DocumentObject, writing: DocumentWriting): string {
  const { mapping, lists, imports, indent } = writing;
  const inner = `${indent}  `;
  const lines: string[] = [];
  const add = (name: string, path: string, text: string): void => {
    const isUnion = / \| /.test(text.replaceAll(/<[^<>]*>|\{.*\}/gs, ''));
    const list = `readonly ${isUnion ? `(${text})` : text}[]`;
    const held = lists === null ? `OneOrMore<${text}>` : `${lists.includes(path) ? list : text} | null`;
    lines.push(`${inner}${key(name)}?: ${held};`);
  };
  for (const [name, field] of object.fields) {
    const { text, imports: needed } = valueType(field);
    for (const imported of needed) imports.add(imported);
    add(name, field.path, text);
  }
  for (const [name, child] of object.objects) add(name, child.path, objectType(child, { ...writing, indent: inner }));
  // What nobody declared may hold anything; what has fields holds these.
  const isOpen = lines.length === 0 && mapping.objects.get(object.path)?.dynamic !== 'strict';
  if (isOpen && object.path !== '') return 'Readonly<Record<string, unknown>>';
  return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${indent}}`;
}

/** Names and kinds of the fields whose documents are those of the root, or of the nested objects of a path. */
function fieldsAround(mapping: Mapping, nestedPath: string): readonly (readonly [string, string])[] {
  const rows: (readonly [string, string])[] = [];
  for (const [name, field] of new Map([...mapping.named, ...mapping.runtime])) {
    if (!isOfDocument(mapping, field.path, nestedPath)) continue;
    const kind = kindOf(field);
    rows.push([name, kind]);
    if (field.kind === 'flattened') rows.push([`${name}.*`, kind]);
  }
  return rows;
}

/** True for a field of the nested objects of a path, and for one whose values these documents get from objects in them. */
function isOfDocument(mapping: Mapping, path: string, nestedPath: string): boolean {
  let around = mapping.nestedAround(path);
  let isShared = true;
  while (isShared && around !== nestedPath) {
    const options = mapping.objects.get(around)?.nested ?? null;
    if (options === null) return false;
    if (options.isInRoot && nestedPath === '') return true;
    isShared = options.isInParent;
    around = mapping.nestedAround(around);
  }
  return isShared && around === nestedPath;
}

/** The kind as the client's types name it: what a field lacks beyond its type stands after it. */
function kindOf({ kind, isIndexed, hasDocValues, fielddata, runtime }: FieldMapping): string {
  if (runtime !== null || ALWAYS_ASKED.has(kind)) return kind;
  if (fielddata !== null) return `${kind}+fielddata`;
  if (WORDS.has(kind)) return isIndexed ? kind : `${kind}-index`;
  if (!hasDocValues) return isIndexed ? `${kind}-column` : `${kind}-neither`;
  return isIndexed || SEARCHED_BY_COLUMN.test(kind) ? kind : `${kind}-index`;
}

function fieldTable(rows: readonly (readonly [string, string])[], indent: string): string {
  const lines = rows.map(([name, kind]) => {
    const named = name.endsWith('.*')
      ? `[key: \`${name.slice(0, -1).replaceAll(/[\\`$]/g, '\\$&')}\${string}\`]`
      : key(name);
    return `${indent}  ${named}: '${kind}';`;
  });
  return lines.length === 0 ? 'Record<never, never>' : `{\n${lines.join('\n')}\n${indent}}`;
}

function isInDocuments(mapping: Mapping, path: string): boolean {
  return documentPaths(mapping).includes(path);
}

function documentPaths(mapping: Mapping): readonly string[] {
  const fields = [...mapping.fields.values()].filter((field) => !field.isMultiField);
  return [...mapping.objects.keys(), ...fields.map(({ path }) => path)].filter((path) => path !== '');
}

function pathUnion(mapping: Mapping): string {
  const paths = documentPaths(mapping).map((path) => JSON.stringify(path));
  const flattened = [...mapping.fields.values()].filter(({ kind }) => kind === 'flattened');
  const keyed = flattened.map(({ path }) => `\`${path.replaceAll(/[\\`$]/g, '\\$&')}.\${string}\``);
  return [...paths, ...keyed].join(' | ') || 'never';
}
