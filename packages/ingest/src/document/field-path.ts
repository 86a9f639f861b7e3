/**
 * Paths to fields as pipelines write them: names between dots, numbers for entries of lists; `_ingest.` leads to what is known
 * of the run, and not to the document.
 */
export interface FieldPath {
  /** The path as it is written. */
  readonly text: string;
  readonly root: 'document' | 'ingest';
  /** Empty for a path that names nothing, which only documents refuse. */
  readonly elements: readonly string[];
}

const INGEST_PREFIX = '_ingest.';
const SOURCE_PREFIX = '_source.';

export function parseFieldPath(text: string): FieldPath {
  const isIngest = text.startsWith(INGEST_PREFIX);
  const isSource = text.startsWith(SOURCE_PREFIX);
  const rest = isIngest || isSource ? text.slice(isIngest ? INGEST_PREFIX.length : SOURCE_PREFIX.length) : text;
  const elements = rest.split('.');
  // Dots at the end name nothing.
  while (elements.length > 1 && elements.at(-1) === '') elements.pop();
  const isEmpty = elements.length === 1 && elements[0] === '';
  return { text, root: isIngest ? 'ingest' : 'document', elements: isEmpty ? [] : elements };
}
