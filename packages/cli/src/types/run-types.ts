/**
 * What `shoal types` does: reads a mapping from a file or a cluster, and writes its types.
 */

import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { isObject, messageOf } from '@shoal/core';
import { mergeMapping, parseMapping } from '@shoal/schema';
import { reasonOf } from '../http/http-api.ts';
import { writeTypes } from './type-writer.ts';

export interface TypesOptions {
  readonly mapping: string;
  readonly out?: string;
  readonly name?: string;
  readonly lists?: string;
  readonly import: string;
}

/** Mapping as it was found, and what it is called there. */
interface FoundMapping {
  readonly json: unknown;
  /** Index it is the mapping of; null when only the mapping is known. */
  readonly index: string | null;
  readonly title: string;
}

const FETCH_TIMEOUT_MS = 30_000;
const TYPE_NAME = /^[A-Za-z_$][\w$]*$/;

export async function runTypes(options: TypesOptions): Promise<void> {
  const isUrl = /^https?:\/\//i.test(options.mapping);
  const found = await (isUrl ? mappingOfUrl(options.mapping) : mappingOfFile(options.mapping));
  const name = options.name ?? typeName(found.index ?? found.title);
  if (!TYPE_NAME.test(name)) throw new Error(`--name wants the name of a type, found [${name}]`);
  const text = writeTypes(parseMapping(found.json), {
    name,
    index: found.index,
    source: isUrl ? withoutPassword(options.mapping) : basename(options.mapping),
    module: options.import,
    lists: options.lists === undefined ? null : options.lists.split(',').map((field) => field.trim()),
  });
  if (options.out === undefined) process.stdout.write(text);
  else await writeFile(options.out, text);
}

async function mappingOfFile(path: string): Promise<FoundMapping> {
  const text = await readFile(path, 'utf8');
  const title = basename(path).replace(/\.[^.]*$/, '');
  try {
    return { title, ...mappingIn(JSON.parse(text)) };
  } catch (error) {
    throw new Error(`${path}: ${messageOf(error)}`);
  }
}

async function mappingOfUrl(address: string): Promise<FoundMapping> {
  const url = new URL(address);
  const path = url.pathname.replace(/\/+$/, '').replace(/\/_mappings?$/, '');
  if (path === '') throw new Error(`[${address}] names no index: http://HOST:PORT/INDEX`);
  const { username, password } = url;
  const pair = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  const headers = username === '' ? {} : { authorization: `Basic ${pair}` };
  const { isOk, body } = await asked(new URL(`${url.origin}${path}/_mapping`), headers);
  if (!isOk) throw new Error(reasonOf(body));
  const title = decodeURIComponent(path.slice(path.lastIndexOf('/') + 1));
  return { title, ...mappingIn(body), index: title };
}

async function asked(
  url: URL,
  headers: Record<string, string>,
): Promise<{ readonly isOk: boolean; readonly body: unknown }> {
  try {
    const answer = await fetch(url, { headers, signal: AbortSignal.timeout(FETCH_TIMEOUT_MS) });
    return { isOk: answer.ok, body: await answer.json() };
  } catch (error) {
    // `fetch` says why in the cause alone.
    const { cause, message } = error as Error;
    throw new Error(`${url.origin} does not answer as a cluster: ${cause instanceof Error ? cause.message : message}`);
  }
}

/** The mapping in what `GET /INDEX/_mapping` answers, in the body that creates an index, or by itself. */
function mappingIn(json: unknown): Pick<FoundMapping, 'json' | 'index'> {
  if (!isObject(json)) throw new Error('a mapping is a JSON object');
  if (isObject(json.mappings)) return { json: json.mappings, index: null };
  const indices = Object.entries(json).filter(([, value]) => isObject(value) && isObject(value.mappings));
  if (indices.length === 0 || indices.length !== Object.keys(json).length) return { json, index: null };
  // Several indices of one alias or pattern: a request to all of them may name the fields of any.
  const merged = indices.reduce<unknown>(
    (whole, [, value]) => mergeMapping(whole, isObject(value) ? value.mappings : {}),
    {},
  );
  return { json: merged, index: indices.length === 1 ? (indices[0]?.[0] ?? null) : null };
}

/** `shop-products_v2` → `ShopProductsV2`. */
function typeName(title: string): string {
  const words = title.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const name = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  return /^[A-Za-z]/.test(name) ? name : `Index${name}`;
}

function withoutPassword(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}
