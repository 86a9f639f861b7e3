#!/usr/bin/env node
/**
 * `node scripts/compatibility.mjs RESULTS.json`: writes docs/compatibility.md out of the results of a run of the REST tests that
 * Elasticsearch published with 7.10.2: what fails and how, and group by group, with those that miss most first.
 *
 * RESULTS.json: `{ target, results: [{ group, file, name, outcome: "pass" | "fail" | "skip", error }] }`.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const page = fileURLToPath(new URL('../docs/compatibility.md', import.meta.url));

const { target, results } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
const judged = results.filter(({ outcome }) => outcome !== 'skip');
const failed = judged.filter(({ outcome }) => outcome === 'fail');

function failedRow({ file, name, error = '' }) {
  const [line = ''] = error.split('\n');
  return [`${file.replace(/\.yml$/, '')}: ${name}`, line.replaceAll('|', '\\|')];
}

function groupRows() {
  const groups = new Map();
  for (const { group, outcome } of judged) {
    const counts = groups.get(group) ?? { passed: 0, all: 0 };
    counts.all++;
    if (outcome === 'pass') counts.passed++;
    groups.set(group, counts);
  }
  const missing = ({ passed, all }) => all - passed;
  return [...groups].sort(([a, x], [b, y]) => missing(y) - missing(x) || (a < b ? -1 : 1));
}

const table = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');

writeFileSync(
  page,
  `# Compatibility

The REST tests that Elasticsearch published with ${target} under the Apache licence, run against one node: ${judged.length - failed.length} of ${judged.length} pass. Tests
of mapping types, which are gone, are left out. This page is written by \`node scripts/compatibility.mjs\` from the results of a run; [api.md](api.md)
lists every route and parameter, [errors.md](errors.md) every error.

## What fails

${failed.length === 0 ? 'None of them.' : table(['test', 'how'], failed.map(failedRow))}

## What they do not look at

Not here, and refused by name: the aggregations \`geo_line\` and \`inference\`, aggregations over \`geo_shape\`; \`_query\` (ES|QL), \`_sql\`,
\`_eql\`, \`_dangling\`, \`_upgrade\`, \`_ilm/move\`, the \`dictionary\` of search applications, mappings of
\`_ingest/_simulate\`, cells of \`geohex\` grids, \`index_filter\` of points in time; the
encoders \`beider_morse\` and \`daitch_mokotoff\` of \`phonetic\`, \`icu_tokenizer\`, \`icu_collation\` and
\`icu_transform\`. Searches by \`knn\` compare every vector, so that none is missed; \`index_options\` change no answer, and
\`query_vector_builder\`, \`rescore_vector\`, \`inner_hits\` of \`knn\` and vectors of bits are refused. No retriever ranks by a
model; \`query\` and \`fields\` of \`linear\` and \`rrf\` are refused, and \`rescorer\` over a retriever of others.

## Group by group

${table(
  ['group', 'passed', 'of'],
  groupRows().map(([group, { passed, all }]) => [`\`${group}\``, passed, all]),
)}
`,
);
