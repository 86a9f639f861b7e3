/**
 * Loads documents into a node through `_bulk`, from files, texts and objects.
 */
import { gunzipSync } from 'node:zlib';
import { assert } from '@shoal/core';
import { readUserFile } from '@shoal/runtime';
import {
  entriesOfObjects,
  entriesOfText,
  type LoadEntry,
  type LoadedDocument,
  type LoadOptions,
} from './load-entries.ts';

/** A path, a URL of a file, lines, or documents. */
export type LoadSource = string | URL | Iterable<LoadedDocument> | AsyncIterable<LoadedDocument>;

export interface LoadResult {
  /** Operations that were done: documents, but for bulk lines that update or delete. */
  readonly loaded: number;
}

/** Sends a request to the node; the JSON of the answer. */
export type Ask = (path: string, body: string) => Promise<unknown>;

/** Bytes of one bulk request, about. */
const BATCH_CHARS = 4 * 1024 * 1024;

interface BulkAnswer {
  readonly errors: boolean;
  readonly items: readonly Readonly<
    Record<string, { readonly status: number; readonly error?: { readonly type: string; readonly reason: string } }>
  >[];
}

/** Rejects with the line or document that the node refused, or that is none; then nothing that follows it is loaded. */
export async function load(ask: Ask, source: LoadSource, options: LoadOptions): Promise<LoadResult> {
  const entries = await entriesOf(source, options);
  const path = `${options.index === undefined ? '' : `/${encodeURIComponent(options.index)}`}/_bulk`;
  const query = options.pipeline === undefined ? '' : `?pipeline=${encodeURIComponent(options.pipeline)}`;
  for (let from = 0; from < entries.length; ) {
    const lines: string[] = [];
    let chars = 0;
    let to = from;
    for (let entry = entries[to]; entry !== undefined && chars < BATCH_CHARS; entry = entries[++to]) {
      lines.push(entry.action, ...(entry.source === null ? [] : [entry.source]));
      chars += entry.action.length + (entry.source?.length ?? 0);
    }
    checkAnswer(await ask(path + query, `${lines.join('\n')}\n`), entries.slice(from, to));
    from = to;
  }
  return { loaded: entries.length };
}

async function entriesOf(source: LoadSource, options: LoadOptions): Promise<readonly LoadEntry[]> {
  if (typeof source !== 'string' && !(source instanceof URL)) return entriesOfObjects(source, options);
  if (typeof source === 'string' && /^\s*[[{]|\n/.test(source)) return entriesOfText(source, null, options);
  const bytes = await readUserFile(source);
  // Whatever its name says: both bytes begin a gzip file and no text.
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b;
  const text = new TextDecoder('utf-8').decode(isPacked ? gunzipSync(bytes) : bytes);
  return entriesOfText(text, String(source), options);
}

function checkAnswer(answer: unknown, entries: readonly LoadEntry[]): void {
  if (!isBulkAnswer(answer)) throw new Error(`the documents were refused: ${JSON.stringify(answer)}`);
  if (!answer.errors) return;
  assert(answer.items.length === entries.length, `${entries.length} operations have ${answer.items.length} answers`);
  const failed = answer.items.map((item) => Object.values(item)[0]?.error);
  const at = failed.findIndex((error) => error !== undefined);
  const count = failed.filter((error) => error !== undefined).length;
  const others = count > 1 ? ` (and ${count - 1} others)` : '';
  throw new Error(`${entries[at]?.where}: ${failed[at]?.type}: ${failed[at]?.reason}${others}`);
}

function isBulkAnswer(answer: unknown): answer is BulkAnswer {
  return typeof answer === 'object' && answer !== null && 'items' in answer && Array.isArray(answer.items);
}
