/**
 * Which fields of a document have term vectors, and the texts that these are made of.
 *
 * Fields whose mapping asks for vectors, and all of an artificial document, have what is indexed of them: copies, null values and
 * limits of length included; so have those that are stored by themselves when a request names them. For others the source is all there is
 * to look at.
 */
import { ANY_TOKENS, assert, parseJson, simpleMatch } from '@shoal/core';
import type { FieldMapping, Mapping } from '@shoal/schema';
import { type TermVectorsRequest, valuesAtPath } from '@shoal/shard-api';
import { DocumentParser } from '../../document/document-parser.ts';
import type { DocumentValues } from '../../document/parsed-document.ts';
import { TextSpan } from '../../field-types/contract/indexed-value.ts';
import { fieldType } from '../../field-types/field-types.ts';
import { analyzerNamed, fieldAnalyzer } from '../../match/compile/field-analyzer.ts';
import type { ShardSearchContext } from '../context/shard-search-context.ts';
import type { VectorField } from './field-vector.ts';

/** Id under which an artificial document is parsed. */
const ARTIFICIAL_ID = '_id_for_tv_api';

/** Vectors that are made for a request have no payloads. */
const MADE_PARTS = { hasPositions: true, hasOffsets: true, hasPayloads: false };

/** @throws mapper_parsing_exception for an artificial document that does not fit the mapping */
export function vectorFields(
  context: ShardSearchContext,
  source: Uint8Array,
  request: TermVectorsRequest,
): readonly VectorField[] {
  const { mapping } = context;
  const isArtificial = request.document.kind === 'artificial';
  const names = request.fields === null ? null : namesOf(context, request.fields);
  const parser = new DocumentParser(mapping);
  const document = isArtificial ? parser.parse(ARTIFICIAL_ID, source).document : parser.parseAccepted('', source);
  const indexed = indexedTexts(document);
  const shown: VectorField[] = [];
  const add = (field: FieldMapping, values: readonly string[], parts: VectorField['parts'] | null): void => {
    if (values.length === 0) return;
    const given = parts === null ? request.analyzers.get(field.path) : undefined;
    shown.push({ ...analysisOf(context, field, given), path: field.path, values, parts: parts ?? MADE_PARTS });
  };
  let json: unknown;
  for (const field of mapping.fields.values()) {
    const { path, termVector } = field;
    if (!hasVectors(field) || !(names?.has(path) ?? true)) continue;
    const isAnalyzedAnew = names !== null && request.analyzers.has(path);
    if (isArtificial) add(field, indexed.get(path) ?? [], null);
    else if (termVector !== null && !isAnalyzedAnew) add(field, indexed.get(path) ?? [], termVector);
    else if (names !== null && field.isStored && indexed.has(path)) add(field, indexed.get(path) ?? [], null);
    else if (names !== null) {
      json ??= parseJson(source, ANY_TOKENS);
      add(field, sourceTexts(json, sourcePath(mapping, field)), null);
    }
  }
  return shown;
}

function hasVectors({ kind, isIndexed }: FieldMapping): boolean {
  return isIndexed && fieldType(kind).textQueries !== 'none';
}

/** Paths that the names and patterns mean; another name of a field means none. */
function namesOf({ mapping }: ShardSearchContext, patterns: readonly string[]): ReadonlySet<string> {
  const paths = [...mapping.fields.keys()];
  return new Set(
    patterns.flatMap((pattern) =>
      pattern.includes('*') ? paths.filter((path) => simpleMatch(pattern, path)) : [pattern],
    ),
  );
}

/** Texts by field of the document itself: nested ones are documents of their own. */
function indexedTexts({ fields, values }: DocumentValues): ReadonlyMap<string, readonly string[]> {
  assert(fields.length === values.length, `${fields.length} fields, ${values.length} values`);
  const texts = new Map<string, string[]>();
  for (const [i, { path }] of fields.entries()) {
    const value = values[i];
    if (typeof value !== 'string' && !(value instanceof TextSpan)) continue;
    const list = texts.get(path) ?? [];
    list.push(String(value));
    texts.set(path, list);
  }
  return texts;
}

/** Path of the field whose values these are: runs of words of a field within another one are two steps away from it. */
function sourcePath(mapping: Mapping, { path, isMultiField, grams }: FieldMapping): string {
  if (!isMultiField && grams === null) return path;
  const outer = path.slice(0, path.lastIndexOf('.'));
  const field = grams === null ? null : mapping.field(outer);
  return field === null ? outer : sourcePath(mapping, field);
}

function sourceTexts(json: unknown, path: string): readonly string[] {
  return valuesAtPath(json, path)
    .filter((value) => value !== null && typeof value !== 'object')
    .map(String);
}

/** @param given name of the analyzer that the request wants; an unknown one is the default of the index */
function analysisOf(
  context: ShardSearchContext,
  field: FieldMapping,
  given: string | undefined,
): Pick<VectorField, 'analyzer' | 'positionIncrementGap'> {
  const { analyzers } = context;
  if (given !== undefined) {
    const analyzer = analyzers.get(given) ?? analyzerNamed(context, 'default');
    return { analyzer, positionIncrementGap: analyzer.positionIncrementGap };
  }
  const { positionIncrementGap } = field;
  return { analyzer: fieldAnalyzer(context, field), positionIncrementGap };
}
