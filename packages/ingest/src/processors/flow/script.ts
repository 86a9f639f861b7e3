/** `script`: changes the document by a script. */
import { asInteger, DoubleNumber, FloatNumber, illegalArgument, isShoalError, javaFloatText } from '@shoal/core';
import { fromPlain, INGEST_CONTEXT, toPlain } from '@shoal/script';
import { type ProcessorType, simple } from '../../contract/processor.ts';
import type { IngestDocument } from '../../document/ingest-document.ts';
import { configuredScript } from '../../scripts/script-option.ts';
import type { DocumentMap, DocumentValue } from '../../values/document-value.ts';

export const scriptProcessor: ProcessorType = {
  type: 'script',
  create(config, { scripts: stored }) {
    const { program, params } = configuredScript(config, { context: INGEST_CONTEXT, stored });
    return simple((document) => {
      const context = fromPlain(document.fields);
      program.run([params(), context]);
      replaceFields(document, plainOf(context));
    });
  },
};

function replaceFields({ fields }: IngestDocument, made: unknown): void {
  const next = documentValue(made);
  if (!(next instanceof Map)) throw illegalArgument('a script left no document');
  fields.clear();
  for (const [name, value] of next) fields.set(name, value);
}

/** @throws illegal_argument_exception for values that JSON has not, and for those that hold themselves */
function plainOf(value: unknown): unknown {
  try {
    return toPlain(value);
  } catch (error) {
    // An exception of the script's own kind is the user's failure.
    if (error instanceof Error && !isShoalError(error) && 'javaClass' in error) throw illegalArgument(error.message);
    throw error;
  }
}

/** Numbers in the kinds that documents have them in. */
function documentValue(value: unknown): DocumentValue {
  if (value instanceof DoubleNumber) return double(value.value);
  if (value instanceof FloatNumber) {
    return double(Number.isFinite(value.value) ? Number(javaFloatText(value.value)) : value.value);
  }
  if (typeof value === 'bigint') return asInteger(value);
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) return value.map(documentValue);
  if (!(value instanceof Map)) return null;
  const map: DocumentMap = new Map();
  for (const [name, item] of value) map.set(String(name), documentValue(item));
  return map;
}

function double(value: number): DocumentValue {
  return Number.isInteger(value) || !Number.isFinite(value) ? new DoubleNumber(value) : value;
}
