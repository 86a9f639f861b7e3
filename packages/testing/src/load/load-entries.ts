/**
 * What is to be loaded, as operations of `_bulk`: documents one a line or as objects, or lines that are a bulk body already.
 *
 * Every text is parsed before anything is sent, so that a broken line is told with its number and nothing of it is loaded. What is
 * sent is the text as it stands: numbers keep all of their digits.
 */
import { messageOf } from '@shoal/core';
import { BULK_ACTIONS } from '../values/bulk-actions.ts';

/** Object that becomes a document. */
export type LoadedDocument = Readonly<Record<string, unknown>>;

export interface LoadOptions {
  /** Index of documents, and of bulk lines that name none. */
  readonly index?: string;
  /** Field whose value is the `_id` of a document, or a function that tells it. Default: ids are made. */
  readonly id?: string | ((document: LoadedDocument) => string);
  /** Ingest pipeline that the documents pass. */
  readonly pipeline?: string;
}

export interface LoadEntry {
  /** Place in the source, for errors. */
  readonly where: string;
  readonly action: string;
  /** null: the action has none. */
  readonly source: string | null;
}

/** @throws Error with the line that is broken */
export function entriesOfText(text: string, name: string | null, options: LoadOptions): readonly LoadEntry[] {
  const where = (line: number): string => (name === null ? `line ${line}` : `line ${line} of ${name}`);
  if (/^\s*\[/.test(text)) return entriesOfArray(text, name, options);
  const lines: { readonly text: string; readonly where: string; readonly value: LoadedDocument }[] = [];
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === '') continue;
    const place = where(at + 1);
    lines.push({ text: line, where: place, value: objectOf(parsed(line, place), place) });
  }
  const [first] = lines;
  if (first === undefined) return [];
  if (!isAction(first.value)) {
    return lines.map((line) => ({
      where: line.where,
      action: actionOf(line.value, line.where, options),
      source: line.text,
    }));
  }
  const entries: LoadEntry[] = [];
  for (let at = 0; at < lines.length; at++) {
    const action = lines[at];
    if (action === undefined) break;
    if (!isAction(action.value)) throw new Error(`${action.where}: an action such as {"index":{}} is expected`);
    const source = 'delete' in action.value ? null : lines[++at];
    if (source === undefined) throw new Error(`${action.where}: the document of the last action is missing`);
    entries.push({ where: action.where, action: action.text, source: source?.text ?? null });
  }
  return entries;
}

/** Documents as objects, from whatever gives them. */
export async function entriesOfObjects(
  documents: Iterable<LoadedDocument> | AsyncIterable<LoadedDocument>,
  options: LoadOptions,
): Promise<readonly LoadEntry[]> {
  const entries: LoadEntry[] = [];
  for await (const document of documents) {
    const where = `document ${entries.length + 1}`;
    const action = actionOf(objectOf(document, where), where, options);
    entries.push({ where, action, source: JSON.stringify(document) });
  }
  return entries;
}

/** A file of `.json` is usually one array; the place of an error in it is its document. */
function entriesOfArray(text: string, name: string | null, options: LoadOptions): readonly LoadEntry[] {
  const whole = parsed(text, name ?? 'the text');
  if (!Array.isArray(whole)) throw new Error(`${name ?? 'the text'}: an array of documents is expected`);
  return whole.map((value: unknown, at) => {
    const where = name === null ? `document ${at + 1}` : `document ${at + 1} of ${name}`;
    return { where, action: actionOf(objectOf(value, where), where, options), source: JSON.stringify(value) };
  });
}

function parsed(text: string, where: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${where}: no JSON: ${messageOf(error)}`);
  }
}

function objectOf(value: unknown, where: string): LoadedDocument {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Error(`${where}: a document is an object, and this is [${JSON.stringify(value)?.slice(0, 80)}]`);
  }
  return value as LoadedDocument; // Checked in the line above.
}

/** A line such as `{"index":{"_id":"1"}}`. A document of one field of such a name whose value is an object is taken for one too. */
function isAction(value: LoadedDocument): boolean {
  const [name, ...more] = Object.keys(value);
  const body = name === undefined ? null : value[name];
  return (
    more.length === 0 && BULK_ACTIONS.some((action) => action === name) && typeof body === 'object' && body !== null
  );
}

function actionOf(document: LoadedDocument, where: string, { id }: LoadOptions): string {
  if (id === undefined) return '{"index":{}}';
  const found: unknown = typeof id === 'function' ? id(document) : document[id];
  if (typeof found !== 'string' && typeof found !== 'number') {
    const what = typeof id === 'function' ? 'the function of ids gives' : `the field [${id}] is`;
    throw new Error(`${where}: ${what} no id: [${String(found)}]`);
  }
  return JSON.stringify({ index: { _id: String(found) } });
}
