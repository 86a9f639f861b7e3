/**
 * The two servers that are compared: requests, and the same indices in both.
 */
import { Agent, request as httpRequest } from 'node:http';
import { exactJson } from './exact-json.mjs';

const BULK = 400;
const TIMEOUT_MS = 60_000;
const agent = new Agent({ keepAlive: true });

/** `{status, text}` of any answer. */
export function send(url, { method, path, body, lines }) {
  const text =
    lines === undefined
      ? body === undefined
        ? undefined
        : exactJson(body)
      : `${lines.map((line) => exactJson(line)).join('\n')}\n`;
  return sendText(url, method, path, text, lines === undefined ? 'application/json' : 'application/x-ndjson');
}

function sendText(url, method, path, text, type) {
  const bytes = text === undefined ? undefined : Buffer.from(text);
  const headers = bytes === undefined ? {} : { 'content-type': type, 'content-length': bytes.length };
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = httpRequest({ hostname, port, method, path, headers, agent, timeout: TIMEOUT_MS }, (response) => {
      const chunks = [];
      response.on('data', (chunk) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode, text: Buffer.concat(chunks).toString() }));
    });
    sent.on('timeout', () => sent.destroy(new Error(`no answer in ${TIMEOUT_MS} ms`)));
    sent.on('error', reject);
    sent.end(bytes);
  });
}

async function good(url, request) {
  const { status, text } = await send(url, request);
  if (status >= 300) throw new Error(`${url}: ${request.method} ${request.path}: ${status} ${text.slice(0, 500)}`);
  return text;
}

/**
 * Makes the index of `target` anew and loads its documents in order: with `inSegments` into one segment for each bulk request,
 * otherwise into one. Where a query expands to a limited number of terms, those of the first segment come first: a peer of one
 * segment says what all the terms would.
 */
export async function loadTarget(url, { index, mapping, settings, documents }, inSegments) {
  await send(url, { method: 'DELETE', path: `/${index}` });
  // One shard: which shard a document is on, and so its score, is not what is compared here.
  // A peer's cache of requests takes histograms of variable width for the same whose sizes of shards differ.
  const own = {
    number_of_shards: 1,
    number_of_replicas: 0,
    refresh_interval: '-1',
    'requests.cache.enable': false,
    ...settings,
  };
  await good(url, { method: 'PUT', path: `/${index}`, body: { settings: own, mappings: mapping } });
  for (let from = 0; from < documents.length; from += BULK) {
    const text = documents
      .slice(from, from + BULK)
      .map(
        ({ id, routing, source }) =>
          `${JSON.stringify({ index: { _id: id, ...(routing === undefined ? {} : { routing }) } })}\n${exactJson(source)}\n`,
      )
      .join('');
    const answer = await sendText(url, 'POST', `/${index}/_bulk?refresh=${inSegments}`, text, 'application/x-ndjson');
    const { errors, items } = JSON.parse(answer.text);
    if (errors !== false)
      throw new Error(
        `${url}: bulk into ${index}: ${JSON.stringify((items ?? []).find((item) => item.index.error) ?? answer.text).slice(0, 800)}`,
      );
  }
  await good(url, { method: 'POST', path: `/${index}/_refresh` });
}
