/**
 * Paths to fields as pipelines write them: names between dots, numbers for entries of lists; `_ingest.` leads to what is known
 * of the run, and not to the document.
 */
import { illegalArgument } from '@shoal/core';

export interface FieldPath {
  /** The path as it is written. */
  readonly text: string;
  readonly root: 'document' | 'ingest';
  /** Never empty. */
  readonly elements: readonly string[];
}

const INGEST_PREFIX = '_ingest.';
const SOURCE_PREFIX = '_source.';

/** @throws illegal_argument_exception for a path without a name */
export function parseFieldPath(text: string): FieldPath {
  if (text === '') throw illegalArgument('path cannot be null nor empty');
  const isIngest = text.startsWith(INGEST_PREFIX);
  const isSource = text.startsWith(SOURCE_PREFIX);
  const rest = isIngest || isSource ? text.slice(isIngest ? INGEST_PREFIX.length : SOURCE_PREFIX.length) : text;
  const elements = rest.split('.');
  // Dots at the end name nothing.
  while (elements.length > 1 && elements.at(-1) === '') elements.pop();
  if (elements.length === 1 && elements[0] === '') throw illegalArgument(`path [${text}] is not valid`);
  return { text, root: isIngest ? 'ingest' : 'document', elements };
}
