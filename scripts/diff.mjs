#!/usr/bin/env node
/**
 * `npm run diff -- --peer URL [--url URL] [--count 5000] [--seed 1] [--only N] [--corpus FILE] [--access-log FILE]`: random
 * requests over the whole query language to a node of ours and to a real Elasticsearch 7.10 or OpenSearch, and where they differ.
 *
 * Both get the same documents on one shard: `packages` of a file of packages, `requests` of an access log where one is given,
 * `mixed` made from a seed. Differences are written to `--out` as JSON lines, those that are explained to `--explained-out`;
 * `--shrink N` makes the first N as small as they can be; `--only N` asks request N again and prints both answers. Without `--url` a
 * node is started for the run.
 */
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfNeeded, root } from './built.mjs';
import { exactJson } from './diff/exact-json.mjs';
import { explainedOf } from './diff/explained.mjs';
import { LOG_MAPPING, logDocuments, PACKAGES_MAPPING, packageDocuments } from './diff/file-corpora.mjs';
import { MIXED_MAPPING, mixedDocuments } from './diff/mixed-corpus.mjs';
import { requestOf } from './diff/requests.mjs';
import { loadTarget, send } from './diff/servers.mjs';
import { shrink, signatureOf } from './diff/shrink.mjs';
import { Target } from './diff/target.mjs';

const MIXED_DOCUMENTS = 900;
const FILE_DOCUMENTS = 2500;
const PEER_TRIES = 5;
const PEER_WAIT_MS = 2000;

const { values: options } = parseArgs({
  options: {
    peer: { type: 'string' },
    url: { type: 'string' },
    count: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    class: { type: 'string' },
    shrink: { type: 'string', default: '0' },
    out: { type: 'string', default: 'differences.ndjson' },
    'explained-out': { type: 'string' },
    corpus: { type: 'string', default: join(root, 'packages/cli/sample/debian-packages.ndjson.gz') },
    'access-log': { type: 'string' },
    prefix: { type: 'string', default: 'diff' },
    'no-load': { type: 'boolean', default: false },
  },
});

if (options.peer === undefined) {
  console.error(
    '--peer URL: a real server, for example\n  docker run -p 9299:9200 -e discovery.type=single-node docker.elastic.co/elasticsearch/elasticsearch-oss:7.10.2',
  );
  process.exit(2);
}

const targets = [
  [
    6,
    new Target({
      index: `${options.prefix}-mixed`,
      mapping: MIXED_MAPPING,
      documents: mixedDocuments(1, MIXED_DOCUMENTS),
    }),
  ],
  [
    2,
    new Target({
      index: `${options.prefix}-packages`,
      mapping: PACKAGES_MAPPING,
      documents: packageDocuments(options.corpus, FILE_DOCUMENTS),
    }),
  ],
];
if (options['access-log'] !== undefined)
  targets.push([
    1,
    new Target({
      index: `${options.prefix}-requests`,
      mapping: LOG_MAPPING,
      documents: logDocuments(options['access-log'], FILE_DOCUMENTS),
    }),
  ]);

async function ours() {
  if (options.url !== undefined) return { url: options.url, end: async () => {} };
  buildIfNeeded();
  const { startServers } = await import('./bench/servers.mjs');
  const cluster = await startServers(['--nodes', '1', '--no-sample']);
  return { url: cluster.http[0], end: cluster.end };
}

/** The peer's answer; one whose memory is full is asked again. */
async function patientSend(request) {
  for (let tries = 0; ; tries++) {
    const answer = await send(options.peer, request);
    if (!answer.text.includes('circuit_breaking_exception') || tries === PEER_TRIES) return answer;
    await new Promise((resolve) => setTimeout(resolve, PEER_WAIT_MS));
  }
}

const node = await ours();
const both = async (request) => Promise.all([send(node.url, request), patientSend(request)]);
const differs = async (request) => explainedOf(request, await both(request)).difference;

if (!options['no-load'])
  for (const [, target] of targets) {
    await loadTarget(node.url, target, true);
    await loadTarget(options.peer, target, false);
  }

const seed = Number(options.seed);
if (options.only !== undefined) await showOne(requestOf(seed, Number(options.only), targets));
else await compareAll();
await node.end();

async function showOne(request) {
  const [own, peer] = await both(request);
  console.log(exactJson(request), '\n\nours', own.status, own.text, '\n\ntheirs', peer.status, peer.text);
  console.log('\n', explainedOf(request, [own, peer]));
  const small = await shrink(request, differs);
  console.log('\nsmallest:', exactJson(small.body), '\n', await differs(small));
}

async function compareAll() {
  writeFileSync(options.out, '');
  const classes = new Map();
  const signatures = new Map();
  const reasons = new Map();
  const notBuilt = new Map();
  let toShrink = Number(options.shrink);
  for (let number = 0; number < Number(options.count); number++) {
    const request = requestOf(seed, number, targets);
    if (options.class !== undefined && !request.class.includes(options.class)) continue;
    const answers = await both(request);
    const row = classes.get(request.class) ?? { asked: 0, refused: 0, unsupported: 0, explained: 0, differ: 0 };
    classes.set(request.class, row);
    row.asked += 1;
    if (answers[1].status >= 400) row.refused += 1;
    const { reasons: found, difference: left } = explainedOf(request, answers);
    if (left === null && found.size === 0) continue;
    if (isUnsupported(answers[0])) {
      row.unsupported += 1;
      const missing = missingPart(answers[0]);
      notBuilt.set(missing, (notBuilt.get(missing) ?? 0) + 1);
      continue;
    }
    row[left === null ? 'explained' : 'differ'] += 1;
    if (left === null) {
      for (const reason of found.keys()) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
      if (options['explained-out'] !== undefined)
        keep(options['explained-out'], request, { explained: Object.fromEntries(found) });
      continue;
    }
    const small = toShrink-- > 0 ? await shrink(request, differs) : undefined;
    const smallest =
      small === undefined ? {} : { smallest: small.lines ?? small.body, smallestDifference: await differs(small) };
    keep(options.out, request, { difference: left, ...smallest });
    const signature = signatureOf(left);
    signatures.set(signature, (signatures.get(signature) ?? 0) + 1);
  }
  printSummary(classes, signatures, { 'not built': notBuilt, explained: reasons });
}

/** Appends a request with what is told of it. */
function keep(file, { number, class: api, path, lines, body }, told) {
  appendFileSync(file, `${exactJson({ seed, number, class: api, path, ...told, body: lines ?? body })}\n`);
}

/** What a node refuses because it is not built yet says so. */
function isUnsupported({ status, text }) {
  return status === 400 && /not supported (by|on) this server|on this server, only/.test(text);
}

/** What such a refusal says is missing. */
function missingPart({ text }) {
  const { error } = JSON.parse(text);
  const told = error.root_cause?.[0]?.reason ?? error.reason;
  return error.caused_by === undefined ? told : `${told}: ${error.caused_by.reason}`;
}

function printSummary(classes, signatures, told) {
  const total = { asked: 0, refused: 0, unsupported: 0, explained: 0, differ: 0 };
  for (const [name, row] of [...classes].sort(([a], [b]) => (a < b ? -1 : 1))) {
    for (const key of Object.keys(total)) total[key] += row[key];
    console.log(
      `${name.padEnd(40)} ${row.asked} asked, ${row.refused} refused by both or one, ${row.unsupported} not built, ${row.explained} explained, ${row.differ} differ`,
    );
  }
  for (const [signature, count] of [...signatures].sort(([, a], [, b]) => b - a).slice(0, 40))
    console.log(`  ${count} × ${signature}`);
  for (const [what, reasons] of Object.entries(told))
    for (const [reason, count] of [...reasons].sort(([, a], [, b]) => b - a))
      console.log(`  ${count} ${what}: ${reason}`);
  const built = total.asked - total.unsupported;
  const share = (count) => `${((count / Math.max(1, built)) * 100).toFixed(2)} %`;
  console.log(
    `${total.asked} requests: ${share(built - total.differ - total.explained)} equal, ${share(total.explained)} explained, ${share(total.differ)} differ (${options.out}); ${total.unsupported} not built`,
  );
}
